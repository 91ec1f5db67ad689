/** What a test makes the node do to those who ask it over HTTP. */
export type Faults = {
  /** Cuts every connection without an answer. */
  down: boolean
  /** Waits before each answer. */
  latencyMs: number
  /** Answers with this HTTP status and no JSON. */
  status?: number
  /** Answers with this text in place of JSON-RPC. */
  body?: string
  /**
   * A lying node: what it answers in place of `real`, which is undefined where the true answer is an error. Undefined
   * leaves the true answer; what it throws becomes a JSON-RPC error.
   */
  answer?: (method: string, params: unknown[], real: unknown) => unknown
  /** How often each method was asked for over HTTP. */
  calls: Record<string, number>
}

export type Chain = {
  url: string
  chainId: number
  /** Asks the chain itself, past the faults and uncounted. */
  request(method: string, params?: unknown[]): Promise<unknown>
  faults: Faults
  /** From here on connections are refused. */
  stop(): Promise<void>
}
