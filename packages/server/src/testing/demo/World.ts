import type { Address } from 'viem'

export type DemoToken = { address: Address; symbol: string; decimals: number }
export type DemoCollection = { address: Address; name: string; count: number }

/** What there is on the chain of the demo. */
export type World = {
  chainId: number
  /** When the chain began, in seconds. */
  genesisTime: number
  tokens: DemoToken[]
  collections: DemoCollection[]
  badges: Address
  names: { registry: Address; resolver: Address }
  multicall: Address
  exchanges: { v2: Address; v3: Address }
  wrapped: Address
  dollar: Address
}
