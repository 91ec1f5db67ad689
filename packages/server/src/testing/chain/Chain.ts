/** Faults that a test makes the node show to its HTTP clients. */
export type Faults = {
  /** Cuts every connection without a response. */
  down: boolean
  /** Delay before each response. */
  latencyMs: number
  /** Responds with this HTTP status and no JSON. */
  status?: number
  /** Responds with this text in place of JSON-RPC. */
  body?: string
  /**
   * A lying node: returns another result in place of `real`, which is undefined if the true result is an error.
   * Undefined keeps the true result; a throw becomes a JSON-RPC error.
   */
  answer?: (method: string, params: unknown[], real: unknown) => unknown
  /** Blocks that one eth_getLogs may span. */
  maxRange?: number
  /** Maximum logs of one eth_getLogs. */
  maxLogs?: number
  /** Requests a second; those beyond get 429. A batch is as many as it holds. */
  rps?: number
  /** How many of the newest blocks the node has state of; older state is a missing trie node. */
  stateBlocks?: number
  /** Methods that the node does not have. */
  missing?: readonly string[]
  /** Refuses several calls in one request. */
  noBatch?: boolean
  /** How many blocks the node is behind. */
  lag?: number
  /** How often each method was asked for over HTTP. */
  calls: Record<string, number>
  /** How many requests came over HTTP, whatever they held. */
  requests: number
}

export type Chain = {
  url: string
  chainId: number
  /** Asks the chain itself, past the faults and uncounted. */
  request(method: string, params?: unknown[]): Promise<unknown>
  /** How many blocks below the head the `finalized` one is; 0 unless a test says otherwise. */
  finality: number
  /** Mines empty blocks. */
  mine(blocks?: number): Promise<void>
  /**
   * Takes the newest `depth` blocks back and grows another branch: of what `make` sends, then of empty blocks until it
   * is one longer than the old one. No hash of the old branch comes again.
   */
  reorg(depth: number, make?: () => Promise<unknown>): Promise<void>
  faults: Faults
  /** From here on connections are refused. */
  stop(): Promise<void>
}
