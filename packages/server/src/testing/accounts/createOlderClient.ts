import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sql } from '../../db/sql.ts'
import type { CallOptions, TestServer } from '../createTestServer.ts'

export const installation = (id = 'browser-one'): CallOptions => ({ headers: { 'X-Parse-Installation-Id': id } })

export const newAccount = () => privateKeyToAccount(generatePrivateKey())

export type Key = ReturnType<typeof newAccount>

export async function proof(key: Key, data: string, id: string = key.address.toLowerCase()) {
  return { authData: { moralisEth: { id, signature: await key.signMessage({ message: data }), data } } }
}

export const withToken = ({ token }: { token: string }, options = installation()): CallOptions => ({
  ...options,
  token,
})

export const listOf = (answer: { body: Record<string, unknown> }) =>
  (answer.body.results as { objectId: string }[]).map(({ objectId }) => objectId)

/** Signs in and links by wallet as the older clients do. */
export function createOlderClient(serverOf: () => TestServer) {
  async function getTime(options: CallOptions = installation()): Promise<string> {
    const { body } = await serverOf().call('POST', '/functions/getServerTime', {}, options)
    return (body.result as { dateTime: string }).dateTime
  }

  const textOf = (dateTime: string) => `Moralis Authentication\n\nId: ${serverOf().appId}:${dateTime}`

  /** The page of the application, as its browser says it with every request. */
  const page = (id?: string): CallOptions => ({
    headers: { ...installation(id).headers, Origin: new URL(serverOf().context.publicUrl).origin },
  })

  async function signIn(key = newAccount(), options = page()) {
    const answer = await serverOf().call('POST', '/users', await proof(key, textOf(await getTime(options))), options)
    const { body } = answer
    return {
      key,
      address: key.address.toLowerCase(),
      answer,
      objectId: body.objectId as string,
      token: body.sessionToken as string,
    }
  }

  type User = Awaited<ReturnType<typeof signIn>>

  async function link(user: User, key: Key) {
    const data = textOf(await getTime(withToken(user)))
    return serverOf().call('PUT', `/classes/_User/${user.objectId}`, await proof(key, data), withToken(user))
  }

  const countSessions = async () =>
    Number((await serverOf().database.db.query<{ n: unknown }>(sql`select count(*) as n from "_Session"`))[0]?.n)

  return { getTime, signIn, link, page, textOf, countSessions }
}
