import { compareTexts, type WireValue } from '@countersign/protocol'

/** The server's order of two values of one field, absent ones first; undefined where only the server can tell. */
export function compareValues(one: WireValue | undefined, other: WireValue | undefined): number | undefined {
  const [left, right] = [readKey(one), readKey(other)]
  if (left === undefined || right === undefined) return undefined
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (typeof left !== typeof right) return undefined
  return left < right ? -1 : left > right ? 1 : 0
}

/** What a value is ordered by. Lists, maps, files and places have an order that is the database's own affair. */
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
