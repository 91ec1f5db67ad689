import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Account } from '../createLedger.ts'
import { guest } from '../createScene.ts'

const attempts = 40

async function guess(
  { username }: Account,
  send: (body: object, index: number) => Promise<{ body: { reason?: string } }>,
) {
  const answers: { body: { reason?: string } }[] = []
  for (let index = 0; index < attempts; index++)
    answers.push(await send({ username, password: `guess-${index}` }, index))
  return answers
}

const make = casesOf('limits')

export const limitCases: AttackCase[] = [
  make(
    'guessing a password locks it out, in whatever form',
    'S31, SEC-6, SEC-7, P14, GHSA-775h-3xrc-c228, GHSA-p84r-h6rx-f2xr, GHSA-4jj8-x76w-v7h7, GHSA-jmvh-84q9-vvrc, parse-server#10500',
    async (scene) => {
      const account = await scene.signUp('guessed')
      const { mount } = scene.target
      await guess(account, (body, index) => {
        const forms = [
          () => scene.call(guest, 'POST', '/login', body, { headers: { 'X-Forwarded-For': `203.0.113.${index}` } }),
          () => scene.call(guest, 'POST', '/verifyPassword', body),
          () => scene.call(guest, 'POST', '/login/', { ...body, _method: 'GET' }),
          () => scene.call(guest, 'POST', '/login?a=1', body),
          () => scene.call(guest, 'POST', '/LOGIN', body),
          () => scene.call(guest, 'POST', '//login//', body),
          () => scene.call(guest, 'GET', `/login?${new URLSearchParams(body as Record<string, string>)}`),
          () => scene.call(guest, 'POST', '/batch', { requests: [{ method: 'POST', path: `${mount}/login`, body }] }),
        ]
        return (forms[index % forms.length] as (typeof forms)[0])()
      })
      const { username, password } = account
      const right = await scene.call(guest, 'POST', '/login', { username, password })
      scene.refused(right, `After ${attempts} wrong passwords in many forms the right one still works.`, 'limit')
      const spelt = await scene.call(guest, 'POST', '/login', { username: username.toUpperCase(), password })
      scene.refused(spelt, 'Another spelling of the name passes the lockout.', 'limit')
    },
  ),
  make('concurrent guesses are counted one by one', 'S31, P9', async (scene) => {
    const account = await scene.signUp('guessedAtOnce')
    const { username, password } = account
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        scene.call(guest, 'POST', '/login', { username, password: `guess-${index}` }),
      ),
    )
    const judged = all.filter(({ body }) => body.reason === 'invalidCredentials')
    scene.check(judged.length <= 20, all[29], `${judged.length} of 30 concurrent guesses are judged.`, 'limit')
    scene.refused(
      await scene.call(guest, 'POST', '/login', { username, password }),
      'After 30 concurrent guesses the right password still works.',
      'limit',
    )
  }),
  make('recovery codes and mailed codes cannot be guessed without limit', 'P9, SEC-43', async (scene) => {
    const account = await scene.signUp('coded')
    for (const [path, field] of [
      ['/auth/signInWithRecoveryCode', 'username'],
      ['/auth/signInWithEmailCode', 'email'],
    ] as const) {
      const answers = []
      for (let index = 0; index < 30; index++)
        answers.push(
          await scene.call(guest, 'POST', path, { [field]: account.username, code: String(100_000 + index) }),
        )
      scene.check(
        answers.every(({ status }) => status >= 400),
        answers.find(({ status }) => status < 400),
        `A guessed code signs in at ${path}.`,
      )
    }
  }),
  make('long texts are refused before any work', 'SEC-5', async (scene) => {
    const long = 'x'.repeat(500_000)
    for (const [path, body] of [
      ['/login', { username: long, password: long }],
      ['/users', { username: long, password: 'x' }],
      ['/users', { username: 'x', password: long }],
      ['/requestPasswordReset', { email: `${long}@x.example` }],
      ['/auth/signInWithWallet', { message: long, signature: long }],
      ['/verifyEmail', { token: long }],
    ] as const) {
      const answer = await scene.call(guest, 'POST', path, body)
      if (path !== '/requestPasswordReset')
        scene.refused(answer, `${path} accepts a text of 500,000 characters.`, 'limit')
    }
  }),
]
