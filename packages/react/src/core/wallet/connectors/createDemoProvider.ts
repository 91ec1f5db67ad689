import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
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
      return nodes.request(call)
    },
  }
  return { provider, privateKey }
}
