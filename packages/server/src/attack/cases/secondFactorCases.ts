import { Secret, TOTP } from 'otpauth'
import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Account } from '../createLedger.ts'
import { guest, type Scene } from '../createScene.ts'

type Owner = Account & { codeAt(steps: number): string; wrong: string }

const step = 30_000

/** An account with an authenticator app. */
async function createOwner(scene: Scene): Promise<Owner> {
  const account = await scene.signUp('factorOwner')
  const begun = await scene.call(account, 'POST', '/auth/totp', {})
  if (begun.status >= 300) scene.skip('authenticator apps cannot be set up here')
  const secret = scene.addSecret('TOTP SECRET', String(begun.body.secret), account)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  // By the server's clock: this machine may have another time.
  const ahead = Date.parse(String(begun.headers.date ?? '')) - Date.now()
  const codeAt = (steps: number) =>
    totp.generate({ timestamp: Date.now() + (Number.isFinite(ahead) ? ahead : 0) + steps * step })
  await scene.need(account, 'POST', '/auth/totp/confirm', { code: codeAt(-1) })
  const near = [-3, -2, -1, 0, 1, 2, 3].map(codeAt)
  const wrong =
    ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !near.includes(code),
    ) ?? '888888'
  return { ...account, codeAt, wrong }
}

/** The first step of a sign-in: a ticket, and no session. */
async function getTicket(scene: Scene, { username, password }: Owner): Promise<string> {
  const first = await scene.call(guest, 'POST', '/login', { username, password })
  scene.check(first.body.sessionToken === undefined, first, 'The password alone opens an account with a second factor.')
  return String(first.body.params?.ticket ?? '')
}

const finish = (scene: Scene, input: object) => scene.call(guest, 'POST', '/auth/signInWithSecondFactor', input)

const make = casesOf('second-factor')

export const secondFactorCases: AttackCase[] = [
  make('a password alone opens nothing, in any form', 'SEC-28', async (scene) => {
    const owner = await createOwner(scene)
    const { username, password, wrong } = owner
    const forms: [string, string, object | undefined][] = [
      ['POST', '/login', { username, password }],
      ['GET', `/login?username=${username}&password=${password}`, undefined],
      ['POST', '/login', { username, password, authData: { mfa: { token: wrong } } }],
      ['POST', '/login', { username, password, authData: { mfa: { token: { $ne: null } } } }],
      ['POST', '/login', { username, password, authData: { mfa: null } }],
      ['POST', '/login', { username, password, secondFactorCode: '' }],
      ['POST', '/verifyPassword', { username, password }],
      [
        'POST',
        '/batch',
        { requests: [{ method: 'POST', path: `${scene.target.mount}/login`, body: { username, password } }] },
      ],
      ['POST', '/users', { username, password }],
    ]
    for (const [method, path, body] of forms) {
      const answer = await scene.call(guest, method, path, body)
      scene.check(
        !answer.text.includes('"sessionToken"'),
        answer,
        `${method} ${path.split('?')[0]} opens an account without its second factor.`,
      )
    }
  }),
  make('a code works once, and wrong or old ones never', 'P9, CVE-2026-34224, SEC-28', async (scene) => {
    const owner = await createOwner(scene)
    const ticket = await getTicket(scene, owner)
    if (ticket === '') scene.skip('the server gave no ticket')
    for (const code of [owner.wrong, '', { $ne: null }, owner.codeAt(-10), owner.codeAt(10), 0, [owner.codeAt(0)]])
      scene.refused(await finish(scene, { ticket, code }), 'A wrong code completes a sign-in.')
    for (const other of ['', 'x', { $ne: null }, '__proto__'])
      scene.refused(
        await finish(scene, { ticket: other, code: owner.codeAt(0) }),
        'A code completes a sign-in without its ticket.',
      )
    const code = owner.codeAt(0)
    const answers = await Promise.all(Array.from({ length: 6 }, () => finish(scene, { ticket, code })))
    const opened = answers.filter(({ status }) => status < 300)
    scene.check(opened.length <= 1, opened[1], `${opened.length} concurrent uses of one code open a session.`)
    const second = await getTicket(scene, owner)
    if (opened.length === 1) scene.refused(await finish(scene, { ticket: second, code }), 'A code works twice.')
  }),
  make('the factor is not removed without it', 'SEC-28, S20', async (scene, { stranger }) => {
    const owner = await createOwner(scene)
    const { master } = scene
    if (!master) throw scene.skip('needs the master key to open a session without a proof')
    const opened = await scene.need(master, 'POST', '/loginAs', { userId: owner.id })
    const session = { ...owner, token: scene.addSecret('TOKEN FACTOR', String(opened.body.sessionToken), owner) }
    scene.refused(
      await scene.call(session, 'POST', '/auth/reauthenticate', { password: owner.password }),
      'The password alone confirms a session of an account with a second factor.',
    )
    scene.refused(
      await scene.call(session, 'DELETE', '/auth/secondFactor'),
      'A second factor is removed without a proof.',
    )
    scene.refused(
      await scene.call(session, 'PUT', `/users/${owner.id}`, { authData: { mfa: null } }),
      'A second factor is removed by authData.',
    )
    scene.refused(
      await scene.call(stranger, 'POST', '/auth/totp/confirm', { code: owner.codeAt(0) }),
      'A code of another account is accepted.',
    )
  }),
  make(
    'of concurrent uses of a recovery code one succeeds, and it works once',
    'P9, S2, CVE-2026-31875, CVE-2026-33624',
    async (scene) => {
      const account = await scene.signUp('recovering')
      const made = await scene.call(account, 'POST', '/auth/recoveryCodes', {})
      if (made.status >= 300) scene.skip(`no recovery codes were made: ${made.body.reason}`)
      const code = scene.addSecret('RECOVERY CODE', String(made.body.codes?.[0]), account)
      const { username } = account
      const use = () => scene.call(account, 'POST', '/auth/signInWithRecoveryCode', { username, code })
      const answers = await Promise.all(Array.from({ length: 8 }, use))
      const opened = answers.filter(({ status }) => status < 300)
      scene.check(opened.length <= 1, opened[1], `${opened.length} concurrent uses of a recovery code open a session.`)
      scene.refused(await use(), 'A recovery code works twice.')
    },
  ),
  make('guessing codes is limited', 'P9, S31', async (scene) => {
    const owner = await createOwner(scene)
    const ticket = await getTicket(scene, owner)
    if (ticket === '') scene.skip('the server gave no ticket')
    const answers = await Promise.all(Array.from({ length: 40 }, () => finish(scene, { ticket, code: owner.wrong })))
    const last = answers.at(-1)
    const judged = answers.filter(({ body }) => body.reason === 'invalidSecondFactorCode')
    scene.check(judged.length <= 30, last, `${judged.length} of 40 guesses of a code are judged.`, 'limit')
    scene.refused(
      await finish(scene, { ticket, code: owner.codeAt(0) }),
      'After 40 wrong codes the right one still works.',
      'limit',
    )
  }),
]
