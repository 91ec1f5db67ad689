/** A contract call that waits for the others of its moment. */
export type WaitingCall = {
  readonly to: string
  readonly data: string
  readonly block: string
  readonly account: string | undefined
  /** Chain that the call is for, if it names one. */
  readonly chainId: number | undefined
  /** Has the same result for every caller, and changes nothing. */
  readonly canShare: boolean
  readonly signal: AbortSignal | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Contract calls of one provider or node. */
export type ChainReader = {
  waiting: WaitingCall[]
  /** Address of the trusted Multicall3 by chain; undefined where there is none. */
  readonly contracts: Map<number, Promise<string | undefined>>
  /** Calls that failed, and until when (ms since 1970) they are sent alone. */
  readonly alone: Map<string, number>
}
