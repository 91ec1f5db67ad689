import type { WireValue } from '@countersign/protocol'
import { compareTexts } from './compareTexts.ts'

/** The server's order of two values of one field, absent ones first; undefined where only the server can tell. */
export function compareValues(one: WireValue | undefined, other: WireValue | undefined): number | undefined {
  const [left, right] = [readKey(one), readKey(other)]
  if (left === unknown || right === unknown) return undefined
  if (left === null || right === null)
    return Number(right === null) === Number(left === null) ? 0 : left === null ? -1 : 1
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (typeof left !== typeof right) return undefined
  return left < right ? -1 : left > right ? 1 : 0
}

const unknown = Symbol('unknown')

/** What a value is ordered by. Lists, maps, files and places have an order that is the database's own affair. */
function readKey(value: WireValue | undefined): string | number | boolean | null | typeof unknown {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return value
  const fields = new Map<string, WireValue>(Object.entries(value))
  const type = fields.get('__type')
  const iso = fields.get('iso')
  if (type === 'Date' && typeof iso === 'string') return Date.parse(iso)
  const objectId = fields.get('objectId')
  if ((type === 'Pointer' || type === 'Object') && typeof objectId === 'string') return objectId
  return unknown
}
