import { createWalletClient, type Hex, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { TestState } from './createState.ts'
import { refusal } from './refusal.ts'

type Transaction = { to?: Hex; data?: Hex; value?: Hex; gas?: Hex }

/** Signs a transaction and sends it by the wallet's node. */
export async function sendTransaction(
  { rpcUrl, chainId }: TestState,
  account: PrivateKeyAccount,
  { to, data, value, gas }: Transaction,
): Promise<Hex> {
  if (!rpcUrl) throw refusal(4200, 'eth_sendTransaction needs the option rpcUrl.')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = { id: chainId, name: 'Test', nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const client = createWalletClient({ account, chain, transport: http(rpcUrl) })
  return client.sendTransaction({
    to,
    data,
    value: value === undefined ? undefined : BigInt(value),
    gas: gas === undefined ? undefined : BigInt(gas),
  })
}
