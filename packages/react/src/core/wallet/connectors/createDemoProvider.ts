import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Eip1193Provider } from '../../state/Connector.ts'

export type DemoProvider = { readonly provider: Eip1193Provider; readonly privateKey: string }

/** The demo wallet itself, with the key that was kept or a new one. Loaded only when it is picked. */
export function createDemoProvider(kept: string | null, nodes: Eip1193Provider): DemoProvider {
  const privateKey = kept && /^0x[0-9a-f]{64}$/.test(kept) ? (kept as `0x${string}`) : generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  const provider: Eip1193Provider = {
    ...nodes,
    async request(call) {
      const { method, params = [] } = call
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account.address]
      if (method === 'personal_sign') {
        const [raw] = params as [`0x${string}`]
        return account.signMessage({ message: { raw } })
      }
      if (method === 'eth_signTypedData_v4') {
        const [, text] = params as [string, string]
        return account.signTypedData(JSON.parse(text))
      }
      if (method === 'eth_sendTransaction') return send(account, nodes, Object(params[0]))
      return nodes.request(call)
    },
  }
  return { provider, privateKey }
}

type Transaction = { to?: `0x${string}`; data?: `0x${string}`; value?: string; gas?: string }

/** Signs a transaction and sends it by the node, without asking. */
async function send(
  account: PrivateKeyAccount,
  nodes: Eip1193Provider,
  { to, data, value = '0x0', gas }: Transaction,
): Promise<unknown> {
  const ask = async (method: string, ...params: unknown[]) => BigInt(String(await nodes.request({ method, params })))
  const [chainId, nonce, gasPrice, estimate] = await Promise.all([
    ask('eth_chainId'),
    ask('eth_getTransactionCount', account.address, 'pending'),
    ask('eth_gasPrice'),
    gas ?? ask('eth_estimateGas', { from: account.address, to, data, value }),
  ])
  const signed = await account.signTransaction({
    type: 'legacy',
    chainId: Number(chainId),
    nonce: Number(nonce),
    // The base fee may rise until the next block.
    gasPrice: (gasPrice * 5n) / 4n,
    gas: BigInt(estimate),
    to,
    data,
    value: BigInt(value),
  })
  return nodes.request({ method: 'eth_sendRawTransaction', params: [signed] })
}
