import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Key } from '../createKey.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Actor, Answer } from '../createTarget.ts'

type Asked = { as: Actor; message: string }

/** Asks for a challenge as a browser of its own. */
async function askChallenge(scene: Scene, key: Key, purpose = 'signIn', as?: Actor): Promise<Asked> {
  const asker = as ?? { name: 'guest', installationId: `attack-${scene.run}-${key.address.slice(2, 12)}` }
  const { body } = await scene.need(asker, 'POST', '/auth/challenge', { purpose, address: key.address, chainId: 1 })
  return { as: asker, message: String(body.message) }
}

const present = (scene: Scene, as: Actor, message: string, signature: string): Promise<Answer> =>
  scene.call(as, 'POST', '/auth/signInWithWallet', { message, signature })

/** Changes of a signed message that a wallet would sign without a warning, or that a lenient parser overlooks. */
const forgeries: [string, (message: string) => string][] = [
  ['another domain', (text) => text.replace(/^\S+/, 'evil.example')],
  ['a domain that ends like ours', (text) => `evil-${text}`],
  ['a user name before the domain', (text) => text.replace(/^(\S+)/, '$1@evil.example')],
  ['another URI', (text) => text.replace(/URI: \S+/, 'URI: https://evil.example/')],
  ['chain 0', (text) => text.replace(/Chain ID: \d+/, 'Chain ID: 0')],
  ['an unknown chain', (text) => text.replace(/Chain ID: \d+/, 'Chain ID: 999999999')],
  ['another nonce', (text) => text.replace(/Nonce: \w+/, `Nonce: ${'a'.repeat(32)}`)],
  ['a second nonce', (text) => text.replace(/(Nonce: \w+)/, `$1\nNonce: ${'b'.repeat(32)}`)],
  ['no expiry', (text) => text.replace(/\nExpiration Time: \S+/, '')],
  ['an expiry in ten years', (text) => text.replace(/Expiration Time: \d{4}/, 'Expiration Time: 2099')],
  ['a date that is none', (text) => text.replace(/Issued At: \S+/, 'Issued At: NaN')],
  ['a line break in the statement', (text) => text.replace('\n\nURI', '\nURI: https://evil.example\n\nURI')],
  ['carriage returns', (text) => text.replaceAll('\n', '\r\n')],
  ['a Unicode line separator', (text) => text.replace('\nNonce', '\u2028Nonce')],
  ['a trailing line', (text) => `${text}\n`],
  ['the text of a legacy client', () => 'Moralis Authentication'],
]

const badSignatures = [
  '',
  '0x',
  `0x${'00'.repeat(65)}`,
  `0x${'ff'.repeat(65)}`,
  `0x${'00'.repeat(64)}1b`,
  `0x${'11'.repeat(64)}`,
  `0x${'11'.repeat(32)}${'22'.repeat(32)}05`,
  `0x${'ab'.repeat(5_000)}`,
  // ERC-6492: a wrapped signature with an empty factory call.
  `0x${'00'.repeat(96)}${'6492'.repeat(16)}`,
  'not hex',
]

/** Credentials with query operators and other values where a text belongs. */
const injections = [{ $ne: null }, { $regex: '.*' }, { $gt: '' }, ['x'], true, 0, null, { length: 1 }]

const make = casesOf('sign-in')

export const signInCases: AttackCase[] = [
  make('a signed challenge works once', 'S1, S12', async (scene) => {
    const key = await scene.createKey()
    const { as, message } = await askChallenge(scene, key)
    const signature = key.sign(message)
    const first = await present(scene, as, message, signature)
    if (first.status >= 300) scene.skip('a wallet cannot sign up here')
    scene.refused(await present(scene, as, message, signature), 'A challenge signs in twice.')
    const flipped = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`
    scene.refused(await present(scene, as, message, flipped), 'A challenge signs in again with another spelling.')
  }),
  make('of concurrent uses of a challenge one succeeds', 'S2, P9', async (scene) => {
    const key = await scene.createKey()
    const { as, message } = await askChallenge(scene, key)
    const signature = key.sign(message)
    const answers = await Promise.all(Array.from({ length: 8 }, () => present(scene, as, message, signature)))
    const opened = answers.filter(({ status }) => status < 300)
    scene.check(opened.length <= 1, opened[1], `${opened.length} of 8 concurrent uses of a challenge open a session.`)
  }),
  make('a challenge belongs to the browser that asked', 'S3', async (scene) => {
    const key = await scene.createKey()
    const { message } = await askChallenge(scene, key)
    const other: Actor = { name: 'guest', installationId: `attack-${scene.run}-other` }
    scene.refused(await present(scene, other, message, key.sign(message)), 'Another browser presents a challenge.')
    const again = await askChallenge(scene, key)
    scene.refused(
      await present(scene, guest, again.message, key.sign(again.message)),
      'A challenge is accepted without the browser that asked.',
    )
  }),
  make('a changed message is refused, although its signature is right', 'S4, S5, S6, S7, S14, S15', async (scene) => {
    for (const [what, forge] of forgeries) {
      const key = await scene.createKey()
      const { as, message } = await askChallenge(scene, key)
      const forged = forge(message)
      if (forged === message) continue
      scene.refused(await present(scene, as, forged, key.sign(forged)), `A message with ${what} signs in.`)
    }
  }),
  make('the signature of another key is refused', 'S9, S11', async (scene) => {
    const [key, thief] = [await scene.createKey(), await scene.createKey()]
    const { as, message } = await askChallenge(scene, key)
    scene.refused(await present(scene, as, message, thief.sign(message)), 'The signature of another key signs in.')
    for (const signature of badSignatures) {
      const asked = await askChallenge(scene, key)
      scene.refused(await present(scene, asked.as, asked.message, signature), 'A malformed signature signs in.')
    }
  }),
  make('a signature for one purpose serves no other', 'S17', async (scene, { stranger, spare }) => {
    const key = await scene.createKey()
    const signing = await askChallenge(scene, key, 'signIn', spare)
    const linked = await scene.call(spare, 'POST', '/auth/wallets', {
      message: signing.message,
      signature: key.sign(signing.message),
    })
    scene.refused(linked, 'A sign-in signature links a wallet.')
    const linking = await askChallenge(scene, key, 'link', spare)
    scene.refused(
      await present(scene, spare, linking.message, key.sign(linking.message)),
      'A signature for linking signs in.',
    )
    const theirs = await askChallenge(scene, key, 'link', spare)
    const taken = await scene.call(
      { ...stranger, ...(spare.installationId && { installationId: spare.installationId }) },
      'POST',
      '/auth/wallets',
      {
        message: theirs.message,
        signature: key.sign(theirs.message),
      },
    )
    scene.refused(taken, 'A signature that names one account links the wallet to another.')
  }),
  make('query operators are no credentials', 'P4, GHSA-vgjh-hmwf-c588', async (scene, { victim }) => {
    for (const value of injections) {
      const { username, password } = victim
      const tries: [string, object][] = [
        ['/login', { username, password: value }],
        ['/login', { username: value, password }],
        ['/login', { email: value, password: value }],
        ['/verifyPassword', { username, password: value }],
        ['/resetPassword', { token: value, username, new_password: 'taken over', newPassword: 'taken over' }],
        ['/verifyEmail', { token: value, username }],
        ['/undoEmailChange', { token: value }],
        ['/auth/signInWithEmailCode', { email: victim.email, code: value }],
        ['/auth/signInWithRecoveryCode', { username, code: value }],
        ['/auth/signInWithEmailLink', { token: value }],
      ]
      for (const [path, body] of tries)
        scene.refused(await scene.call(guest, 'POST', path, body), `${path} accepts an operator as a credential.`)
    }
  }),
  make('no header names the caller', 'S30', async (scene, { victim }) => {
    const claims = {
      'X-Wallet': victim.id,
      'X-User-Id': victim.id,
      'X-Forwarded-User': victim.username,
      Authorization: `Bearer ${victim.id}`,
      'X-Parse-Session-Token': victim.id,
      Cookie: `session=${victim.id}; countersign=${victim.id}; token=${victim.id}`,
    }
    for (const [name, value] of Object.entries(claims))
      scene.refused(
        await scene.call(guest, 'GET', '/users/me', undefined, { headers: { [name]: value } }),
        `The header ${name} names the caller.`,
      )
  }),
  make('unknown and known names get the same response', 'S31, P16, GHSA-w54v-hf9p-8856', async (scene, { victim }) => {
    const wrong = await scene.call(guest, 'POST', '/login', { username: victim.username, password: 'wrong' })
    const unknown = await scene.call(guest, 'POST', '/login', { username: `${scene.run}-nobody`, password: 'wrong' })
    const same = wrong.status === unknown.status && wrong.text === unknown.text
    scene.check(
      same || [wrong, unknown].some(({ status }) => status === 429),
      wrong,
      'Sign-in reveals which names exist.',
      'leak',
    )
    const known = await scene.call(guest, 'POST', '/requestPasswordReset', { email: victim.email })
    const nobody = await scene.call(guest, 'POST', '/requestPasswordReset', { email: `${scene.run}@attack.invalid` })
    scene.check(
      known.status === nobody.status && known.text === nobody.text,
      known,
      'A reset reveals which addresses exist.',
      'leak',
    )
  }),
  make('a username is nobody else’s address', 'SEC-9', async (scene, { victim }) => {
    const password = scene.addSecret('PASSWORD NAMES', `names${scene.run}`)
    for (const username of [
      victim.email ?? '',
      victim.username.toUpperCase(),
      ` ${victim.username}`,
      `${victim.username}\u200b`,
      `0x${'ab'.repeat(20)}`,
    ])
      scene.refused(
        await scene.call(guest, 'POST', '/users', { username, password }),
        `The username ${JSON.stringify(username)} can be taken, although it looks like that of somebody else.`,
      )
  }),
  make(
    'a sign-up sets nothing that the server decides',
    'SEC-53, P7, P11, GHSA-8xq9-g7ch-35hg',
    async (scene, { victim }) => {
      const chosen: object[] = [
        { objectId: victim.id },
        { objectId: 'role:admin' },
        { sessionToken: `r:${'a'.repeat(32)}` },
        { emailVerified: true },
        { _hashed_password: 'x' },
        { _wperm: ['*'], _rperm: ['*'] },
        { authData: { moralisEth: { id: `0x${'ab'.repeat(20)}` } } },
        { authData: { constructor: { id: victim.id } } },
        { authData: { anonymous: { id: { $ne: null } } } },
        { authData: { facebook: { id: victim.id, access_token: 'x' } } },
      ]
      for (const [index, fields] of chosen.entries()) {
        const account = { username: `attack-${scene.run}-chosen${index}`, password: `chosen${scene.run}` }
        const answer = await scene.call(guest, 'POST', '/users', { ...account, ...fields })
        if (answer.status >= 300) continue
        const [[field, value] = ['', '']] = Object.entries(fields)
        const me = await scene.call({ name: 'chosen', token: String(answer.body.sessionToken) }, 'GET', '/users/me')
        const kept = JSON.stringify({ ...me.body, token: answer.body.sessionToken })
        const isKept = field === 'emailVerified' ? me.body.emailVerified === true : kept.includes(JSON.stringify(value))
        scene.check(!isKept, answer, `A sign-up sets ${field}.`)
      }
    },
  ),
  make('signing in gives a new token, whatever was sent', 'S16', async (scene, { stranger }) => {
    const token = `r:${'f'.repeat(32)}`
    const { username, password } = stranger
    const answer = await scene.call(
      { name: stranger.name, token, installationId: `${scene.run}-fixed` },
      'POST',
      '/login',
      {
        username,
        password,
        sessionToken: token,
        _SessionToken: token,
      },
    )
    scene.check(answer.body.sessionToken !== token, answer, 'The caller chooses the session token.')
  }),
  make('only the master key signs in as somebody', 'P10, CVE-2026-30229', async (scene, { victim, stranger }) => {
    for (const as of [guest, stranger])
      scene.refused(
        await scene.call(as, 'POST', '/loginAs', { userId: victim.id }),
        `${as.name} signs in as another user.`,
      )
  }),
]
