import { sql } from '../../db/sql.ts'
import type { Answer, TestServer } from '../createTestServer.ts'
import {
  type Authenticator,
  type Bend,
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from './createAuthenticator.ts'

export const here = { 'X-Parse-Installation-Id': 'browser-one' }
export const elsewhere = { 'X-Parse-Installation-Id': 'browser-two' }
export const minutes = 60_000

export const refusal = ({ status, body }: Answer) => [status, body.code, typeof body.error]
export const notProven = [401, 101, 'string']
export const notAllowed = [403, 119, 'string']

/** The requests of passkeys, as a browser sends them, and users who have one. */
export function createPasskeyCalls(serverOf: () => TestServer) {
  let people = 0
  const signUp = (name: string) => serverOf().signUp(`${name}${++people}`)

  async function askRegistration(token: string, headers: Record<string, string> = here): Promise<RegistrationOptions> {
    const { body } = await serverOf().call('POST', '/auth/passkeys/registration', {}, { token, headers })
    return body.options as RegistrationOptions
  }

  async function askChallenge(
    purpose = 'signIn',
    token?: string,
    headers: Record<string, string> = here,
  ): Promise<ChallengeOptions> {
    const { body } = await serverOf().call(
      'POST',
      '/auth/passkeys/challenge',
      { purpose },
      { headers, ...(token && { token }) },
    )
    return body.options as ChallengeOptions
  }

  const register = (token: string, credential: unknown, name?: unknown, headers: Record<string, string> = here) =>
    serverOf().call('POST', '/auth/passkeys', { credential, name }, { token, headers })

  const signIn = (credential: unknown, headers: Record<string, string> = here) =>
    serverOf().call('POST', '/auth/signInWithPasskey', { credential }, { headers })

  const list = async (token: string) =>
    (await serverOf().call('GET', '/auth/passkeys', undefined, { token })).body.results as {
      objectId: string
      name: string
    }[]

  /** Somebody with a passkey. */
  async function createHolder(authenticator: Authenticator = createAuthenticator(serverOf().context.publicUrl)) {
    const username = `holder${++people}`
    const { objectId, token } = await serverOf().signUp(username)
    const answer = await register(token, authenticator.register(await askRegistration(token)), 'Laptop')
    if (answer.status !== 201) throw new Error(answer.text)
    return { username, objectId, token, authenticator, passkey: answer.body as { objectId: string } }
  }

  async function signInWith(authenticator: Authenticator, bend?: Bend): Promise<Answer> {
    return signIn(authenticator.assert(await askChallenge(), bend))
  }

  /** As for somebody who came by wallet or passkey alone. */
  const takePassword = (objectId: string) =>
    serverOf().context.db.query(sql`update "_User" set "_password_hash" = null where "objectId" = ${objectId}`)

  return { signUp, askRegistration, register, createHolder, list, signInWith, takePassword, askChallenge, signIn }
}
