import type { User } from '@countersign/react'

export type FieldType = 'text' | 'number' | 'boolean' | 'date'

/** A field of the application's own, as the form holds it: every value is text until it is saved. */
export type ProfileField = { key: string; name: string; type: FieldType; value: string; isNew: boolean }

/** A field whose kind the form cannot edit (lists, places, files …): shown as it is. */
type FixedField = {
  name: string
  text: string
  /** Of a list of texts and numbers. */
  items?: readonly string[]
}

export type Profile = { username: string; email: string; fields: ProfileField[]; fixed: FixedField[] }

/** Values of the profile form for a user. */
export function readProfile(user: User): Profile {
  const profile: Profile = { username: user.username, email: user.email ?? '', fields: [], fixed: [] }
  for (const [name, value] of Object.entries(user).sort(([one], [other]) => one.localeCompare(other))) {
    if (value === undefined || reservedFields.has(name)) continue
    const type = typeOf(value)
    if (type) profile.fields.push({ key: name, name, type, value: textOf(value), isNew: false })
    else
      profile.fixed.push({ name, text: JSON.stringify(value), ...(isPlainList(value) && { items: value.map(String) }) })
  }
  return profile
}

const isPlainList = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')

/** The name of a field as people write it: `favouriteNumber` is “Favourite number”. */
export function nameField(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/_+/g, ' ')
    .trim()
    .split(' ')
    // Words in capitals are abbreviations.
    .map((word, place) => (place > 0 && !/^[A-Z\d]+$/.test(word) ? word.toLowerCase() : word))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
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

/** Names that every user record has, or that the server keeps for itself. */
export const reservedFields: ReadonlySet<string> = new Set([
  'objectId',
  'createdAt',
  'updatedAt',
  'username',
  'password',
  'email',
  'emailVerified',
  'sessionToken',
  'authData',
  'ACL',
  'className',
  // The server takes no such name from anyone.
  'constructor',
  // Have a place of their own in the form.
  'avatar',
  'language',
  // Derived from the proven wallets; the Wallets screen shows them.
  'accounts',
  'ethAddress',
  'solAccounts',
  'solAddress',
])
