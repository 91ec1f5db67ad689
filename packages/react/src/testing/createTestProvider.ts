import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Eip1193Provider } from '../core/state/Connector.ts'

export type TestProvider = Eip1193Provider & {
  readonly addresses: readonly string[]
  /** Every method that was called, in order. */
  readonly calls: string[]
  /** The texts that were signed. */
  readonly signed: string[]
  /** Index of the key shown first; `undefined` shares none. */
  selected: number | undefined
  chainId: number
  /** Runs while the signature prompt is open; its result or error is the outcome. */
  onSign: (() => unknown) | undefined
}

/** An EIP-1193 wallet with real keys, controlled by the test. */
export function createTestProvider(count = 2): TestProvider {
  const keys = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
  const wallet: TestProvider = {
    addresses: keys.map((key) => key.address),
    calls: [],
    signed: [],
    selected: 0,
    chainId: 1,
    onSign: undefined,
    async request({ method, params = [] }) {
      wallet.calls.push(method)
      switch (method) {
        case 'eth_requestAccounts':
        case 'eth_accounts':
          // Wallets differ in the letters' case; this one never uses the checksum's.
          return wallet.selected === undefined ? [] : [wallet.addresses[wallet.selected]?.toLowerCase()]
        case 'eth_chainId':
          return `0x${wallet.chainId.toString(16)}`
        case 'personal_sign': {
          const [text, address] = params as [`0x${string}`, string]
          const key = keys.find((one) => one.address.toLowerCase() === address.toLowerCase())
          if (!key) throw { code: -32602, message: 'unknown account' }
          wallet.signed.push(Buffer.from(text.slice(2), 'hex').toString('utf8'))
          const signature = await key.signMessage({ message: { raw: text } })
          const outcome = await wallet.onSign?.()
          return outcome === undefined ? signature : outcome
        }
        default:
          throw { code: 4200, message: `${method} is not supported` }
      }
    },
  }
  return wallet
}
