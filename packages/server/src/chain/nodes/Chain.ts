import type { ChainSettings } from '../../config/chainSettings.ts'
import type { ChainContracts, NativeCurrency } from './knownChains.ts'

/** `0x…` text. Addresses and hashes are in lower case. */
export type Hex = `0x${string}`

/** A block, as named in results. The time is in seconds, as on the chain. */
export type BlockRef = { number: number; hash: Hex; timestamp: number }

/** A requested block: its number, or the head (which every result is pinned to). */
export type BlockTag = number | 'latest'

export type RpcCall = { method: string; params: readonly unknown[] }

export type RequestOptions = {
  /**
   * Cache lifetime: `final` forever, `head` until the head moves, `none` not at all. By default it depends on the
   * request (a finalized block or its hash is final, the head is not).
   */
  keep?: 'final' | 'head' | 'none'
  /** Milliseconds that a node has, where it is not the usual time. */
  timeout?: number
  signal?: AbortSignal
}

/** Result of one call in a batch. */
export type Settled = { result: unknown } | { error: unknown }

export type ContractCall = { to: string; data: Hex }

/** `data` is the contract's result, or its revert data. */
export type CallResult = { success: boolean; data: Hex }

export type Made<T> = { value: T; final?: boolean; size?: number }

/** Static facts of a chain, known without a request. */
export type ChainFacts = {
  id: number
  name: string
  aliases: readonly string[]
  nativeCurrency: NativeCurrency
  explorer: string | undefined
  contracts: ChainContracts
  settings: ChainSettings
}

/** Metadata of a token. Missing values are undefined; a contract without any is not a token. */
export type TokenMetadata = {
  address: Hex
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
}

/** Facts learned while reading a chain. */
export type ChainKnowledge = {
  /** Number of blocks that its nodes accept in one request for logs. */
  logRange: number
  /** Metadata of tokens, with when it was read. */
  tokens: Map<Hex, { at: number; metadata: TokenMetadata }>
  /** Tokens that were written to the database, to be found by their symbol. */
  savedTokens: Set<string>
}

/** Caller that node requests are counted for. */
export type Payer = {
  /** Callers with the same key share one turn in the queue. */
  key: string
  /** Counts calls that go to a node, before they do; fails where the caller has none left. */
  charge(calls: number): Promise<void>
}

/** A chain and all its nodes, behind one interface. */
export type Chain = ChainFacts & {
  /** The same chain on behalf of a caller: calls are counted, and wait behind the server's own. */
  paidBy(payer: Payer): Chain
  /**
   * Asks one node, and the next if it fails. Concurrent calls are sent together. Throws NodeError or CountersignError.
   */
  request(method: string, params?: readonly unknown[], options?: RequestOptions): Promise<unknown>
  /** Several questions, in as few requests as may be; each has its own outcome. */
  batch(calls: readonly RpcCall[], options?: RequestOptions): Promise<Settled[]>
  /** Several reads of contracts at one block: by Multicall3 where it is deployed, else by batch. */
  multicall(calls: readonly ContractCall[], block?: BlockTag): Promise<CallResult[]>
  /** The newest block, at most `headCacheTtl` old. */
  head(options?: { fresh?: boolean }): Promise<BlockRef>
  /** The number of the newest block that cannot be undone. */
  finalized(): Promise<number>
  /** Number, hash and time of a block; throws 101 for one that is not there yet. */
  block(number: BlockTag): Promise<BlockRef>
  /**
   * Caches a computed value, such as the text of a whole response, until the head moves, or forever if `final`. `size`
   * is in bytes, roughly.
   */
  remember<T>(key: string, make: () => Promise<Made<T>>): Promise<{ value: T; source: 'node' | 'cache' }>
  readonly known: ChainKnowledge
  /** State of the nodes for the operator. URLs are without path and query, which may contain keys. */
  nodes(): NodeState[]
}

export type NodeState = {
  host: string
  /** `unused`: not asked yet. */
  status: 'ready' | 'resting' | 'unused'
  requests: number
  failures: number
  requestsPerSecond: number
  /** Time (ms) of the last response. */
  latency: number | undefined
  lastError: string | undefined
}

/** Every chain that has a node. */
export type Chains = {
  /** By name, alias, id or hex id: `eth`, `mainnet`, 1, `1`, `0x1`. */
  find(chain: string | number): Chain | undefined
  /** The same, or an error that lists the chains there are, or says that this one has no node. */
  get(chain: string | number): Chain
  /** Chains that the operator configured, then those that public nodes serve. */
  all(): readonly Chain[]
}
