/** Retry state of one reading. */
export type Recoverable = {
  readonly retry: () => void
  /** Failures in a row. */
  failures: number
  /** Earliest retry (ms) allowed by Retry-After. */
  notBefore: number
  /** End (ms) of its back-off. */
  due: number
}

/** Visible readings that failed. */
export type Recovery = {
  readonly add: (reading: Recoverable) => void
  readonly remove: (reading: Recoverable) => void
  /** A request succeeded: retries readings whose back-off is over. */
  readonly succeed: () => void
}
