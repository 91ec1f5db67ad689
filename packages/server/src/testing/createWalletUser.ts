import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { answerChallenge, installation } from './answerChallenge.ts'
import type { TestServer } from './createTestServer.ts'

export type WalletUser = { account: PrivateKeyAccount; objectId: string; username: string; token: string }

/** Signs a key in, a new one where none is given. */
export async function createWalletUser(
  server: TestServer,
  account = privateKeyToAccount(generatePrivateKey()),
): Promise<WalletUser> {
  const proof = await answerChallenge(server, account, 'signIn')
  const { status, body } = await server.call('POST', '/auth/signInWithWallet', proof, { headers: installation })
  if (status !== 200 && status !== 201) throw new Error(`the wallet did not sign in: ${JSON.stringify(body)}`)
  return {
    account,
    objectId: body.objectId as string,
    username: body.username as string,
    token: body.sessionToken as string,
  }
}
