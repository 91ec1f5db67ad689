import type { WireValue } from './values.ts'

/** Conditions of a query (parse-protocol section 7): a value, or operators such as `$gt`, by field. */
export type WireWhere = { [field: string]: WireValue }

/** Options of a query besides its class. Lists of names are joined by commas. */
export type FindInput = {
  where?: WireWhere
  order?: string
  limit?: number
  skip?: number
  /** With 1 the response contains the number of objects, ignoring `limit` and `skip`. */
  count?: 0 | 1
  keys?: string
  excludeKeys?: string
  include?: string
  includeAll?: boolean
  redirectClassNameForKey?: string
  hint?: WireValue
  explain?: boolean
  comment?: string
  /** Asks for pages: `true` for the first, then the cursor of the page before. Stable while rows come and go. */
  cursor?: string | true
  /** Seconds that the result may be old: read replicas may serve it. */
  maxStaleness?: number
}
