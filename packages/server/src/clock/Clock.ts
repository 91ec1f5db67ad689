/** One clock for the whole server, so that tests can move it. */
export type Clock = {
  now(): Date
  /** The same in milliseconds since 1970, for what every request reads. */
  ms(): number
  /** Milliseconds by which a test has moved it. */
  shift?(): number
}

export const systemClock: Clock = { now: () => new Date(), ms: Date.now }
