import type { Client } from '../Client.ts'
import { documentReadings } from './documentReadings.ts'

/**
 * Reads anew whatever is on show of a class: queries of it, those that name it in a condition, and those that read
 * objects of it along. Saves and deletes of this client do so by themselves.
 *
 * @example
 * invalidateDocuments(client, 'Game')
 */
export function invalidateDocuments(client: Client, className: string): void {
  for (const { asked, reading } of [...documentReadings(client).values()]) {
    if (names(asked, className) || names(reading.peek.get().data, className, onlyNames)) reading.invalidate()
  }
}

/** In what was read these only name an object. In a question they may be what it is about. */
const onlyNames = ['Pointer', 'Relation']

function names(value: unknown, className: string, ignored: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  if (fields.get('className') === className && !ignored.includes(fields.get('__type'))) return true
  return Array.from(fields.values()).some((item) => names(item, className, ignored))
}
