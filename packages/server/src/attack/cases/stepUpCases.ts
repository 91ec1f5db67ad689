import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Account } from '../createLedger.ts'
import type { Scene } from '../createScene.ts'

/** Endpoints that always ask for a recent proof and need no input, from the contract. */
const plain = Object.entries<EndpointContract>(contract).filter(
  ([name, { reasons, access, path, input }]) =>
    reasons?.includes('reauthenticationRequired') &&
    access === 'user' &&
    !path.includes(':') &&
    name !== 'changePassword' &&
    (input?.safeParse({}).success ?? true),
)

type Call = [method: string, path: string, body?: object]

/** Requests that change how an account is opened. */
function listSensitive({ id }: Account, wallet: string): Call[] {
  const changes: object[] = [
    { email: 'thief@attack.invalid' },
    { email: null },
    { email: { __op: 'Delete' } },
    { password: 'of a thief' },
    { username: `thief-${id}` },
    { authData: { anonymous: { id: '6ba7b810-9dad-11d1-80b4-00c04fd43099' } } },
  ]
  return [
    ...plain.map(([, { method, path }]): Call => [method, path, {}]),
    ...changes.flatMap((body): Call[] => [
      ['PUT', `/users/${id}`, body],
      ['PUT', `/classes/_User/${id}`, body],
    ]),
    ['DELETE', `/users/${id}`],
    ['DELETE', `/classes/_User/${id}`],
    ['POST', '/classes/_Session', {}],
    ['DELETE', `/auth/wallets/${wallet}`],
    ['PUT', '/auth/secondFactor', { passkey: true }],
    ['POST', '/auth/totp/confirm', { code: '123456' }],
    ['PUT', '/auth/security', { signInAlerts: false }],
    ['POST', '/changePassword', { newPassword: 'of a thief' }],
  ]
}

/** A session without a recent proof: one that the operator opened. */
async function openUnconfirmed(scene: Scene, account: Account): Promise<Account> {
  const { master } = scene
  if (!master) throw scene.skip('needs the master key to open a session without a proof')
  const { body } = await scene.need(master, 'POST', '/loginAs', { userId: account.id })
  const token = scene.addSecret(`TOKEN UNCONFIRMED`, String(body.sessionToken), account)
  return { ...account, token }
}

const make = casesOf('step-up')

export const stepUpCases: AttackCase[] = [
  make(
    'a session without a recent proof changes no sign-in method',
    'S17, S20, SEC-2, SEC-3, SEC-13, SEC-19',
    async (scene) => {
      const account = await scene.signUp('unproven', {}, true)
      const key = await scene.createKey()
      const session = await openUnconfirmed(scene, account)
      const { mount } = scene.target
      for (const [method, path, body = {}] of listSensitive(account, 'nosuch')) {
        const plainForm = await scene.call(session, method, path, method === 'GET' ? undefined : body)
        scene.refused(plainForm, `${method} ${path.split('/').slice(0, 3).join('/')} works without a recent proof.`)
        const batch = await scene.call(session, 'POST', '/batch', {
          requests: [{ method, path: `${mount}${path}`, body }],
        })
        const parts = Array.isArray(batch.body) ? (batch.body as { success?: unknown }[]) : []
        scene.check(
          parts.every(({ success }) => success === undefined),
          batch,
          `${method} ${path.split('/').slice(0, 3).join('/')} works in a batch without a recent proof.`,
        )
      }
      const asked = await scene.call(session, 'POST', '/auth/challenge', {
        purpose: 'link',
        address: key.address,
        chainId: 1,
      })
      if (asked.status === 200) {
        const { message } = asked.body
        scene.refused(
          await scene.call(session, 'POST', '/auth/wallets', { message, signature: key.sign(message) }),
          'A wallet is linked without a recent proof.',
        )
      }
      const still = await scene.call({ name: account.name }, 'POST', '/login', {
        username: account.username,
        password: account.password,
      })
      scene.check(
        still.status < 300 || still.status === 429,
        still,
        'The password was changed without a recent proof.',
        'integrity',
      )
    },
  ),
  make('a wrong proof confirms nothing', 'S21, SEC-75', async (scene) => {
    const account = await scene.signUp('confirming')
    const session = await openUnconfirmed(scene, account)
    const key = await scene.createKey()
    const asked = await scene.call(session, 'POST', '/auth/challenge', {
      purpose: 'reauthenticate',
      address: key.address,
      chainId: 1,
    })
    const message = String(asked.body.message ?? '')
    const proofs = [
      { password: 'wrong' },
      { password: { $ne: null } },
      { password: '' },
      { message, signature: message === '' ? '0x' : key.sign(message) },
      { code: '000000' },
      {},
    ]
    for (const proof of proofs)
      scene.refused(
        await scene.call(session, 'POST', '/auth/reauthenticate', proof),
        'A wrong proof confirms a session.',
      )
    scene.refused(
      await scene.call(session, 'POST', '/auth/recoveryCodes', {}),
      'A session is confirmed by wrong proofs.',
    )
  }),
  make('the last sign-in method stays', 'S20', async (scene) => {
    const key = await scene.createKey()
    const as = { name: 'lastMethod', installationId: `attack-${scene.run}-last` }
    const asked = await scene.need(as, 'POST', '/auth/challenge', {
      purpose: 'signIn',
      address: key.address,
      chainId: 1,
    })
    const opened = await scene.call(as, 'POST', '/auth/signInWithWallet', {
      message: asked.body.message,
      signature: key.sign(asked.body.message),
    })
    if (opened.status >= 300) scene.skip('a wallet cannot sign up here')
    const session = { ...as, token: String(opened.body.sessionToken) }
    const wallets = await scene.need(session, 'GET', '/auth/wallets')
    const id = wallets.body.results?.[0]?.objectId
    scene.refused(
      await scene.call(session, 'DELETE', `/auth/wallets/${id}`),
      'The last sign-in method of an account is removed.',
    )
  }),
]
