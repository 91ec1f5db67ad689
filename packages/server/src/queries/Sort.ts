import type { Condition } from './Condition.ts'
import type { Place } from './Place.ts'

/** One part of an order. Absent values come first, and last in the other direction. */
export type Sort = { readonly descending: boolean } & (
  | { readonly by: 'place'; readonly place: Place }
  | { readonly by: 'distance'; readonly near: Extract<Condition, { kind: 'near' }> }
  | { readonly by: 'score'; readonly text: Extract<Condition, { kind: 'text' }> }
)
