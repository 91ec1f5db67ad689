import type { User } from '@countersign/react'
import type { FieldType, Profile } from './profile.ts'
import { reservedFields } from './reservedFields.ts'

/** What the profile form shows for a user. */
export function readProfile(user: User): Profile {
  const profile: Profile = { username: user.username, email: user.email ?? '', fields: [], fixed: [] }
  for (const [name, value] of Object.entries(user).sort(([one], [other]) => one.localeCompare(other))) {
    if (value === undefined || reservedFields.has(name)) continue
    const type = typeOf(value)
    if (type) profile.fields.push({ key: name, name, type, value: textOf(value), isNew: false })
    else profile.fixed.push({ name, text: JSON.stringify(value) })
  }
  return profile
}

function typeOf(value: unknown): FieldType | undefined {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (value instanceof Date) return 'date'
  return undefined
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
}
