import type { Chain } from './Chain.ts'

/** Every chain that has a node. */
export type Chains = {
  /** By name, alias, id or hex id: `eth`, `mainnet`, 1, `1`, `0x1`. */
  find(chain: string | number): Chain | undefined
  /** The same, or an error that lists the chains there are, or says that this one has no node. */
  get(chain: string | number): Chain
  /** Chains that the operator configured, then those that public nodes serve. */
  all(): readonly Chain[]
}
