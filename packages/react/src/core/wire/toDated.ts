import type { WireValue } from '@countersign/protocol'
import type { Dated, TimeName } from '../Dated.ts'
import { decode } from './decode.ts'

const times = new Set<string>([
  'at',
  'confirmedUntil',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'linkedAt',
  'undoUntil',
] satisfies TimeName[])

/** The frozen snapshot of a record of ours; its times, and those of the records in its lists, are dates. */
export function toDated<Item extends object>(record: Item): Dated<Item> {
  const entries = Object.entries(record).map(([name, value]) => [name, read(name, value)])
  return Object.freeze(Object.fromEntries(entries)) as Dated<Item>
}

function read(name: string, value: WireValue): unknown {
  if (typeof value === 'string' && times.has(name)) return new Date(value)
  if (!Array.isArray(value)) return decode(value)
  return Object.freeze(value.map((item) => (typeof item === 'object' && item !== null ? toDated(item) : item)))
}
