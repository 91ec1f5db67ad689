import { compareTexts, type WireFields } from '@countersign/protocol'
import { compareValues } from './compareValues.ts'

/** An object as the wire has it. */
export type Row = WireFields & { objectId: string }

/** The order of two rows; undefined where only the server can tell. Two different rows are never equal. */
export type Order = (one: Row, other: Row) => number | undefined

const aliases = new Map([
  ['_created_at', 'createdAt'],
  ['_updated_at', 'updatedAt'],
  ['_id', 'objectId'],
])

/** The fields that a query is ordered by, the most important first; undefined where that is not a field's own value. */
export function readSorts(order: readonly string[]): { field: string; descending: boolean }[] | undefined {
  const sorts = order.map((entry) => {
    const written = entry.trim().replace(/^[+-]/, '')
    return { field: aliases.get(written) ?? written, descending: entry.trim().startsWith('-') }
  })
  return sorts.some(({ field }) => field.includes('.') || field.startsWith('$')) ? undefined : sorts
}

/** The order that the server gives a query's rows in, with the id at its end as there. */
export function readOrder(order: readonly string[]): Order | undefined {
  const sorts = readSorts(order)
  if (!sorts) return undefined
  const isLastDescending = sorts.at(-1)?.descending ?? false
  return (one, other) => {
    for (const { field, descending } of sorts) {
      const outcome = compareValues(one[field], other[field])
      if (outcome === undefined) return undefined
      if (outcome !== 0) return descending ? -outcome : outcome
    }
    const outcome = compareTexts(one.objectId, other.objectId)
    return isLastDescending ? -outcome : outcome
  }
}
