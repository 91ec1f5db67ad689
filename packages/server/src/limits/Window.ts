/** So many in a window of time (ms). */
export type Limit = { most: number; length: number }

/** A window of a key in this process. */
export type Window = {
  readonly limit: Limit
  /** Times (ms) by the clock of this process. */
  began: number
  ends: number
  count: number
  /** Count up to which this process decides in memory. */
  allowance: number
  /** Left for all processes beyond that, as far as known. 0: nothing until the window ends. */
  pool: number | undefined
  /** Part of the allowance that is in the database. */
  covered: number
  /** Allowed without asking, when the window began. */
  free: number
  /** Beginning of the shared window that this one is a part of, by the clock of the database. */
  joined: number | undefined
}
