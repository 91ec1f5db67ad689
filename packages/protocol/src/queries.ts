import type { WireValue } from './values.ts'

/** Conditions of a query (parse-protocol section 7): a value, or operators such as `$gt`, by field. */
export type WireWhere = { [field: string]: WireValue }

/** Options of a query besides its class. Lists of names are joined by commas. */
export type FindInput = {
  where?: WireWhere
  order?: string
  limit?: number
  skip?: number
  /** With 1 the answer says how many objects there are without `limit` and `skip`. */
  count?: 0 | 1
  keys?: string
  excludeKeys?: string
  include?: string
  includeAll?: boolean
  redirectClassNameForKey?: string
  hint?: WireValue
  explain?: boolean
  comment?: string
  /** Asks for pages: `true` for the first, then what the page before answered. Stable while rows come and go. */
  cursor?: string | true
}
