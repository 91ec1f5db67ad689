import type { User, UserChanges } from '@countersign/react'
import type { Profile, ProfileField } from './profile.ts'
import { readProfile } from './readProfile.ts'

/** The changed fields, and only those: what a save sends. */
export function diffProfile(user: User, draft: Profile): UserChanges {
  const saved = readProfile(user)
  const changes: Record<string, UserChanges[string]> = {}
  const username = draft.username.trim()
  if (draft.username !== saved.username && username !== saved.username) changes.username = username
  if (draft.email !== saved.email) changes.email = draft.email === '' ? { __op: 'Delete' } : draft.email
  for (const field of saved.fields)
    if (!draft.fields.some(({ name }) => name === field.name)) changes[field.name] = { __op: 'Delete' }
  for (const field of draft.fields) {
    const before = saved.fields.find(({ name }) => name === field.name)
    if (before && before.type === field.type && before.value === field.value) continue
    changes[field.name] = readValue(field, user[field.name])
  }
  return changes
}

function readValue({ type, value }: ProfileField, before: User[string]) {
  if (type === 'number') return Number(value)
  if (type === 'boolean') return value === 'true'
  if (type === 'text') return value
  // The form shows the day alone: the time of a saved date is kept.
  const time = before instanceof Date ? before.toISOString().slice(10) : 'T00:00:00.000Z'
  return new Date(value + time)
}
