/** One clock for the whole server, so that tests can move it. */
export type Clock = {
  now(): Date
  /** The same in milliseconds since 1970, for what every request reads. */
  ms(): number
  /** Milliseconds by which a test has moved it. */
  shift?(): number
}

export const systemClock: Clock = { now: () => new Date(), ms: Date.now }

/**
 * True for a time at most `length` (ms) away from now, in either direction: clocks of servers differ a little. A time
 * that lies further ahead was noted before a clock was set back, and would otherwise count for as long as that.
 */
export const isNear = (time: number, now: number, length: number): boolean => Math.abs(now - time) <= length
