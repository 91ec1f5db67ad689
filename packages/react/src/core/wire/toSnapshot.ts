import type { WireValue } from '@countersign/protocol'
import { decode } from './decode.ts'

/** The frozen snapshot that applications see of a record; the times that every record has are dates in it. */
export function toSnapshot<Snapshot>(fields: object): Snapshot {
  const entries = Object.entries(fields).map(([name, value]: [string, WireValue]) => {
    const isTime = name === 'createdAt' || name === 'updatedAt'
    return [name, isTime && typeof value === 'string' ? new Date(value) : decode(value)]
  })
  return Object.freeze(Object.fromEntries(entries))
}
