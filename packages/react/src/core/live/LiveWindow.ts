import type { Order, Row } from './readOrder.ts'

/**
 * The rows that a query finds, kept by events. `rows` are all rows of the query up to `edge`, in order; what lies
 * beyond it the server knows. Without an edge there is nothing beyond.
 */
export type LiveWindow = {
  readonly order: Order
  /** How many rows are wanted from the first on. */
  readonly wanted: number
  readonly rows: readonly Row[]
  readonly edge: Row | undefined
}
