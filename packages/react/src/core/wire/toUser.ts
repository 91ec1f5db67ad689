import type { WireFields, WireValue } from '@countersign/protocol'
import type { User } from '../User.ts'
import { decode } from './decode.ts'

/** The frozen snapshot that applications see of a user's fields. */
export function toUser(fields: WireFields): User {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isTimestamp(name) && typeof value === 'string' ? new Date(value) : decode(value as WireValue),
  ])
  return Object.freeze(Object.fromEntries(entries)) as User
}

function isTimestamp(name: string): boolean {
  return name === 'createdAt' || name === 'updatedAt'
}
