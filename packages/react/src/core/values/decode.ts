import type { WireFields, WireValue } from '@countersign/protocol'
import type { FieldValue } from './FieldValue.ts'
import type { TimeName, WithDates } from './records.ts'

/** Decodes a wire value for the application: dates as `Date`, everything frozen. */
export function decode(value: WireValue): FieldValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(decode))
  const fields = new Map<string, WireValue>(Object.entries(value))
  const type = fields.get('__type')
  const iso = fields.get('iso')
  if (type === 'Date' && typeof iso === 'string') return new Date(iso)
  if (type === 'Object') return decodeObject(fields)
  return Object.freeze(Object.fromEntries(Array.from(fields, ([key, item]) => [key, decode(item)])))
}

/** An object of a class, which has its own times as plain texts. */
function decodeObject(fields: Map<string, WireValue>): FieldValue {
  // The user's own row has it; applications must not show or store it.
  if (String(fields.get('className')).startsWith('_')) fields.delete('sessionToken')
  const entries = Array.from(fields, ([key, item]) => {
    const isTime = key === 'createdAt' || key === 'updatedAt'
    return [key, isTime && typeof item === 'string' ? new Date(item) : decode(item)]
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** The frozen snapshot that applications see of a record; the times that every record has are dates in it. */
export function toSnapshot<Snapshot>(fields: object): Snapshot {
  const entries = Object.entries(fields).map(([name, value]: [string, WireValue]) => {
    const isTime = name === 'createdAt' || name === 'updatedAt'
    return [name, isTime && typeof value === 'string' ? new Date(value) : decode(value)]
  })
  return Object.freeze(Object.fromEntries(entries))
}

const times = new Set<string>([
  'at',
  'confirmedUntil',
  'connectedAt',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'linkedAt',
  'undoUntil',
] satisfies TimeName[])

/** The frozen snapshot of a record of ours; its times, and those of the records in its lists, are dates. */
export function toDated<Item extends object>(record: Item): WithDates<Item> {
  const entries = Object.entries(record).map(([name, value]) => [name, read(name, value)])
  return Object.freeze(Object.fromEntries(entries)) as WithDates<Item>
}

function read(name: string, value: WireValue): unknown {
  if (typeof value === 'string' && times.has(name)) return new Date(value)
  if (!Array.isArray(value)) return decode(value)
  return Object.freeze(value.map((item) => (typeof item === 'object' && item !== null ? toDated(item) : item)))
}

export type UserFields = WireFields & { objectId: string }

const secret = new Set(['sessionToken', 'password', '__type', 'className'])

/** The user's fields of a response, without anything that must not be shown or stored; undefined without a user. */
export function readRecord(answer: unknown): UserFields | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const fields: WireFields = Object.fromEntries(Object.entries(answer).filter(([name]) => !secret.has(name)))
  if (!Object.hasOwn(fields, 'objectId') || typeof fields.objectId !== 'string') return undefined
  return fields as UserFields
}
