import { CountersignError, type WireValue } from '@countersign/protocol'

/** A user name that may be stored, from whatever a client sent. */
export function readUsername(value: WireValue | undefined): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new CountersignError('UsernameMissing', 'bad or missing username')
  }
  if (value.length > 256) throw new CountersignError('UsernameMissing', 'A user name has at most 256 characters.')
  return value
}

/** A password that may be stored. An object in its place would be a query operator in disguise. */
export function readPassword(value: WireValue | undefined): string {
  if (typeof value !== 'string' || value === '') throw new CountersignError('PasswordMissing', 'password is required')
  return value
}

export function readEmail(value: WireValue): string {
  if (typeof value !== 'string' || value.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(value)) {
    throw new CountersignError('InvalidEmailAddress', 'Email address format is invalid.')
  }
  return value
}
