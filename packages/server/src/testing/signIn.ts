import type { Answer, TestServer } from './createTestServer.ts'

/** Signer: a key, or a contract account through its owner. */
export type Signer = { address: string; signMessage(parameters: { message: string }): Promise<string> }

export const asker = { 'X-Parse-Installation-Id': 'browser-one' }

export type Asked = {
  namespace?: string
  chainId?: number | string
  headers?: Record<string, string>
  token?: string
  purpose?: string
}

/** A challenge for an account, as the asking browser gets it. */
export async function askChallenge(
  server: TestServer,
  address: string | undefined,
  asked: Asked = {},
): Promise<Answer> {
  const { headers = asker, token, ...input } = asked
  return server.call('POST', '/auth/challenge', { address, ...input }, { headers, ...(token && { token }) })
}

/** Asks, signs and presents, the way a browser does. */
export async function signInWith(server: TestServer, signer: Signer, asked: Asked = {}): Promise<Answer> {
  const challenge = await askChallenge(server, signer.address, asked)
  if (challenge.status !== 200) return challenge
  const message = challenge.body.message as string
  return present(server, { message, signature: await signer.signMessage({ message }) }, asked.headers)
}

export function present(server: TestServer, proof: object, headers: Record<string, string> = asker): Promise<Answer> {
  return server.call('POST', '/auth/signInWithWallet', proof, { headers })
}
