import type { User } from '@countersign/react'
import type { UserChanges } from '@countersign/react/core'
import { type Profile, type ProfileField, readProfile, reservedFields } from '../../account/profile.ts'
import { t } from '../../i18n/translate.ts'

/** Unsaved edits by user, so that a look at another screen does not lose them. */
export const profileDrafts = new Map<string, Profile>()

/** Sentences for what cannot be sent, by the name of the input; empty when all is well. */
export function checkProfile(draft: Profile): Record<string, string> {
  const errors: Record<string, string> = {}
  if (!draft.username.trim()) errors.username = t('Enter a username.')
  if (draft.email && !/^[^\s@]+@[^\s@]+$/.test(draft.email)) errors.email = t('Enter a valid email address.')
  const seen = new Set(draft.fixed.map(({ name }) => name))
  for (const { key, name, type, value, isNew } of draft.fields) {
    if (isNew && !/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
      errors[`${key}.name`] = t('Start with a letter, then use only letters, digits and _.')
    else if (isNew && reservedFields.has(name)) errors[`${key}.name`] = t('This field name is reserved.')
    else if (seen.has(name)) errors[`${key}.name`] = t('A field with this name already exists.')
    seen.add(name)
    if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value))))
      errors[`${key}.value`] = t('Enter a number.')
    if (type === 'date' && Number.isNaN(Date.parse(value))) errors[`${key}.value`] = t('Enter a date.')
  }
  return errors
}

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
