import { compareTexts, type WireFields, type WireValue } from '@countersign/protocol'

/** An object as the wire has it. */
export type Row = WireFields & { objectId: string }

/** The order of two rows; undefined where only the server knows. Two different rows are never equal. */
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

/** The server's order of two values of one field, absent ones first; undefined where only the server knows. */
function compareValues(one: WireValue | undefined, other: WireValue | undefined): number | undefined {
  const [left, right] = [readKey(one), readKey(other)]
  if (left === undefined || right === undefined) return undefined
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (typeof left !== typeof right) return undefined
  return left < right ? -1 : left > right ? 1 : 0
}

/** Sort key of a value. Lists, maps, files and places are ordered by the database. */
function readKey(value: WireValue | undefined): string | number | boolean | null | undefined {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return value
  const fields = new Map<string, WireValue>(Object.entries(value))
  const type = fields.get('__type')
  const iso = fields.get('iso')
  if (type === 'Date' && typeof iso === 'string') return Date.parse(iso)
  const objectId = fields.get('objectId')
  const isObject = type === 'Pointer' || type === 'Object'
  return isObject && typeof objectId === 'string' ? objectId : undefined
}
