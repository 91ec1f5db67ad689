import type { CallOptions, TestServer } from './createTestServer.ts'
import type { Signer } from './signIn.ts'

/** Binding of a challenge to its browser in tests: one installation by default. */
export const installation = { 'X-Parse-Installation-Id': 'test-installation' }

/** Asks the server for a challenge and signs it with a true key. */
export async function answerChallenge(
  server: TestServer,
  account: Signer,
  purpose: 'signIn' | 'link' | 'merge' | 'reauthenticate',
  options: CallOptions = {},
  chainId = 1,
): Promise<{ message: string; signature: string }> {
  const headers = { ...installation, ...options.headers }
  const { status, body } = await server.call(
    'POST',
    '/auth/challenge',
    { purpose, address: account.address, chainId },
    { ...options, headers },
  )
  if (status !== 200) throw new Error(`no challenge was given: ${JSON.stringify(body)}`)
  const message = body.message as string
  return { message, signature: await account.signMessage({ message }) }
}
