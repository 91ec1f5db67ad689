import type { Address } from 'viem'

/** `usual` is what people have of it, in whole tokens. */
export type DemoToken = { address: Address; symbol: string; decimals: number; usual: string }
export type DemoCollection = { address: Address; name: string; count: number }

/** Content of the demo chain. */
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
