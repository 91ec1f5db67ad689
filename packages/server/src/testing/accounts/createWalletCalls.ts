import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { answerChallenge, installation } from '../answerChallenge.ts'
import type { TestServer } from '../createTestServer.ts'

export const minute = 60_000
export const newKey = () => privateKeyToAccount(generatePrivateKey())
export const as = (token: string) => ({ token, headers: installation })

export type Wallet = { objectId: string; address: string; primary: boolean; label?: string }

/** Calls of a user for the account's wallets. */
export function createWalletCalls(serverOf: () => TestServer) {
  const me = (token: string) => serverOf().call('GET', '/users/me', undefined, { token })

  async function link(token: string, account: PrivateKeyAccount = newKey()) {
    const proof = await answerChallenge(serverOf(), account, 'link', { token })
    return serverOf().call('POST', '/auth/wallets', proof, as(token))
  }

  const walletsOf = async (token: string) =>
    (await serverOf().call('GET', '/auth/wallets', undefined, { token })).body.results as Wallet[]

  return { me, link, walletsOf }
}
