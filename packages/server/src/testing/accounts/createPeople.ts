import { randomUUID } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import { answerChallenge } from '../answerChallenge.ts'
import type { TestServer } from '../createTestServer.ts'
import { createLaterAttempts, createSignInAttempts } from './createAttempts.ts'
import { askEmailCode, createPerson, mailedToken } from './createPerson.ts'
import { asking, opened, type People, type Person, page } from './Person.ts'

/** People with everything that may open an account, and each way to try it. */
export function createPeople(serverOf: () => TestServer) {
  const call: People['call'] = (method, path, body, token, from = randomUUID()) =>
    serverOf().call(method, path, body, { headers: { 'X-Parse-Installation-Id': from }, ...(token && { token }) })
  const people: People = { serverOf, call }

  /** How far the first proof leads: into the account, or to the question for the second. */
  async function firstStep(person: Person, cookie?: string): Promise<'in' | 'asked' | 'refused'> {
    const { username, socialId } = person
    const headers = page(cookie)
    const logIn = (password: string) => serverOf().call('POST', '/login', { username, password }, { headers })
    const answers = [
      await logIn(person.password),
      await logIn('another one'),
      await logIn('chosen by mail'),
      await serverOf().call('POST', '/users', { authData: { social: { id: socialId } } }, { headers }),
    ]
    if (answers.some(({ body }) => body.reason === 'secondFactorRequired')) return 'asked'
    return answers.some((answer) => opened(answer, person)) ? 'in' : 'refused'
  }

  async function resetByMail({ resetToken }: Person): Promise<void> {
    const answer = await call('POST', '/resetPassword', { token: resetToken, password: 'chosen by mail' })
    if (answer.status !== 200) throw new Error(answer.text)
  }

  async function mergeInto(stays: Person, goes: Person): Promise<string> {
    const proof = await answerChallenge(serverOf(), goes.wallet, 'merge', asking(stays.token, stays.here))
    const preview = await call('POST', '/auth/merges', proof, stays.token, stays.here)
    const merged = await call('POST', `/auth/merges/${preview.body.objectId}`, {}, stays.token)
    if (merged.status !== 200) throw new Error(merged.text)
    return String(preview.body.objectId)
  }

  async function undoMerge({ token }: Person, merge: string): Promise<void> {
    const answer = await call('DELETE', `/auth/merges/${merge}`, undefined, token)
    if (answer.status !== 200) throw new Error(answer.text)
  }

  /** Undoes what was added, by the mailed link and the password that the account had. */
  async function recover({ recoveryToken: token, password }: Person): Promise<void> {
    const answer = await call('POST', '/recoverAccount', { token, password, newPassword: 'another one' })
    if (answer.status !== 200) throw new Error(answer.text)
  }

  async function hasAlertsOff({ objectId }: Person) {
    const rows = await serverOf().context.db.query(
      sql`select from countersign.account_settings where "user" = ${objectId} and not sign_in_alerts`,
    )
    return rows.length > 0
  }

  return {
    ...createSignInAttempts(people),
    ...createLaterAttempts(people),
    createPerson: (options?: Parameters<typeof createPerson>[1]) => createPerson(people, options),
    askEmailCode: (email: string) => askEmailCode(people, email),
    mailedToken: (address: string, page: string) => mailedToken(people, address, page),
    hasAlertsOff,
    recover,
    resetByMail,
    call,
    mergeInto,
    undoMerge,
    firstStep,
  }
}
