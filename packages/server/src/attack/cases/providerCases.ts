import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest } from '../createScene.ts'

const names = [
  'google',
  'apple',
  'github',
  'facebook',
  'moralisEth',
  'moralisSol',
  'farcaster',
  'gcenter',
  'gpgames',
  'ldap',
  'twitter',
  'mfa',
  'anonymous',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
]

const make = casesOf('providers')

export const providerCases: AttackCase[] = [
  make(
    'an identity without a proof opens nothing',
    'P8, GHSA-pfj7-wv7c-22pr, GHSA-r657-33vp-gp22, GHSA-837q-jhwx-cmpv, GHSA-fr88-w35c-r596, GHSA-qf8x-vqjv-92gr, CVE-2026-30863, S29',
    async (scene, { victim, spare }) => {
      const forged = (name: string): object[] => [
        { id: victim.id },
        { id: victim.id, access_token: 'x', id_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
        { id: { $ne: null } },
        { id: victim.id, publicKeyUrl: 'https://static.gc.apple.com.evil.example/x.cer', signature: 'x', salt: 'x' },
        { id: victim.id, token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', signature: '0x', data: `Sign in to ${name}` },
      ]
      for (const name of names.filter((each) => each !== 'anonymous'))
        for (const identity of forged(name)) {
          const text = `{"authData":{${JSON.stringify(name)}:${JSON.stringify(identity)}}}`
          const answer = await scene.call(guest, 'POST', '/users', text)
          scene.check(typeof answer.body.sessionToken !== 'string', answer, `A forged identity of "${name}" signs in.`)
          scene.refused(
            await scene.call(spare, 'PUT', `/users/${victim.id}`, text),
            'An identity is linked to another user.',
          )
          await scene.call(
            guest,
            'POST',
            '/challenge',
            `{"challengeData":{${JSON.stringify(name)}:${JSON.stringify(identity)}}}`,
          )
        }
    },
  ),
  make(
    'null and empty identities open nobody’s account',
    'P8, GHSA-64mf-fqfc-3pjh',
    async (scene, { victim, stranger }) => {
      for (const authData of [
        '{}',
        'null',
        '[]',
        '"x"',
        '{"anonymous":null}',
        '{"anonymous":{}}',
        '{"anonymous":{"id":null}}',
        '{"anonymous":{"id":""}}',
        '{"anonymous":{"id":[]}}',
        '{"google":null,"apple":null}',
      ]) {
        const answer = await scene.call(guest, 'POST', '/users', `{"authData":${authData}}`)
        scene.check(
          typeof answer.body.sessionToken !== 'string' || ![victim.id, stranger.id].includes(answer.body.objectId),
          answer,
          `The identities ${authData} open the account of somebody.`,
        )
      }
    },
  ),
  make(
    'a password brings no identity along, and a refusal tells nothing of identities',
    'P8, P16, GHSA-mr43-w6c2-mvjq, GHSA-8w3j-g983-8jh5',
    async (scene, { victim, spare }) => {
      const id = `forged${scene.run}`
      const { username, password } = spare
      for (const name of names.filter((each) => each !== 'anonymous')) {
        const text = JSON.stringify({ username, password }).replace(
          '{',
          `{"authData":{${JSON.stringify(name)}:{"id":"${id}"}},`,
        )
        await scene.call({ name: spare.name, installationId: `${scene.run}-brings` }, 'POST', '/login', text)
        const link = (known: string) =>
          scene.call(spare, 'PUT', `/users/${spare.id}`, `{"authData":{${JSON.stringify(name)}:{"id":"${known}"}}}`)
        const [taken, free] = [await link(victim.id), await link(id)]
        scene.check(!free.text.includes(id), free, `An identity of "${name}" is linked without a proof.`)
        scene.check(
          taken.status === free.status && taken.body.reason === free.body.reason,
          taken,
          `Linking tells which identities of "${name}" are known.`,
          'leak',
        )
      }
      const me = await scene.call(spare, 'GET', '/users/me')
      scene.check(!me.text.includes(id), me, 'A password sign-in links a forged identity.')
    },
  ),
  make('responses of a provider need their challenge', 'P8, S32', async (scene, { spare }) => {
    const inputs = [
      { state: 'x', code: 'x' },
      { state: '', code: '' },
      { state: { $ne: null }, code: 'x' },
      { state: '__proto__', code: 'x' },
      { idToken: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', provider: 'google' },
    ]
    for (const input of inputs) {
      scene.refused(
        await scene.call(guest, 'POST', '/auth/signInWithProvider', input),
        'A provider’s response without a challenge signs in.',
      )
      scene.refused(
        await scene.call(spare, 'POST', '/auth/identities', input),
        'A provider’s response without a challenge links.',
      )
    }
    scene.refused(
      await scene.call(guest, 'POST', '/auth/signInWithFarcaster', {
        message: 'x',
        signature: `0x${'11'.repeat(65)}`,
      }),
      'A Farcaster message without a challenge signs in.',
    )
  }),
  make('no redirect leads to another host', 'S32', async (scene) => {
    const paths = [
      '/auth/callback?state=x&code=y',
      `/apps/${scene.target.appId}/verify_email?token=x&username=y&redirect=https://evil.example`,
      '/apps/choose_password?token=x&next=//evil.example',
      '//evil.example/',
      '/\\evil.example',
      '/auth/callback/google?returnTo=https://evil.example',
    ]
    for (const path of paths) {
      const answer = await scene.call(guest, 'GET', path, undefined, {
        isRooted: true,
        headers: { Accept: 'text/html' },
      })
      const location = answer.headers.location ?? ''
      scene.check(
        !/evil\.example/.test(new URL(location || '/', scene.target.origin).host),
        answer,
        `A redirect leads to ${location}.`,
      )
    }
  }),
  make('the legacy sign-in text works once and for its own key', 'SEC-10, SEC-50, S1', async (scene) => {
    const as = { name: 'guest', installationId: `attack-${scene.run}-legacy` }
    const time = await scene.call(as, 'POST', '/functions/getServerTime', {})
    const dateTime = time.body.result?.dateTime
    if (typeof dateTime !== 'string') scene.skip('the legacy sign-in is off')
    const [key, thief] = [await scene.createKey(), await scene.createKey()]
    const data = `Moralis Authentication\n\nId: ${scene.target.appId}:${dateTime}`
    const identity = (id: string, signature: string, text = data) => ({
      authData: { moralisEth: { id: id.toLowerCase(), signature, data: text } },
    })
    scene.refused(
      await scene.call(as, 'POST', '/users', identity(key.address, thief.sign(data))),
      'The signature of another key signs in.',
    )
    const plain = 'Moralis Authentication'
    scene.refused(
      await scene.call(as, 'POST', '/users', identity(key.address, key.sign(plain), plain)),
      'A text without our time signs in.',
    )
    const again = await scene.call(as, 'POST', '/functions/getServerTime', {})
    const text = `Moralis Authentication\n\nId: ${scene.target.appId}:${again.body.result?.dateTime}`
    const first = await scene.call(as, 'POST', '/users', identity(key.address, key.sign(text), text))
    if (first.status >= 300) return
    scene.refused(
      await scene.call(as, 'POST', '/users', identity(key.address, key.sign(text), text)),
      'A legacy sign-in text works twice.',
    )
  }),
]
