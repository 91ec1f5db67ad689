import { CountersignError, longest, refuse, type WireValue } from '@countersign/protocol'
import { nameKey } from './nameKey.ts'

/** A user name that may be stored, from whatever a client sent. */
export function readUsername(value: WireValue | undefined): string {
  if (typeof value !== 'string') throw new CountersignError('UsernameMissing', 'bad or missing username')
  refuseLongName(value)
  if (value.trim() === '') throw new CountersignError('UsernameMissing', 'bad or missing username')
  // Its key is looked up and indexed, and some letters are many in it.
  refuseLongName(nameKey(value))
  if (hasHiddenCharacters(value)) throw refuse('usernameHasHiddenCharacters')
  return value
}

/** Refuses what is no name of anybody before it is normalised, which makes a text up to eighteen times as long. */
function refuseLongName(name: string): void {
  if (name.length > longest.username) throw refuse('usernameTooLong', { max: longest.username })
}

/** A password that may be stored. An object in its place would be a query operator in disguise. */
export function readPassword(value: WireValue | undefined): string {
  if (typeof value !== 'string' || value === '') throw new CountersignError('PasswordMissing', 'password is required')
  refuseLongPassword(value)
  return value
}

export function refuseLongPassword(password: string): void {
  if (password.length > longest.password) throw refuse('passwordTooLong', { max: longest.password })
}

export function readEmail(value: WireValue): string {
  if (typeof value !== 'string') throw refuse('invalidEmailAddress')
  refuseLongAddress(value)
  if (!isAddress(value)) throw refuse('invalidEmailAddress')
  return value
}

function refuseLongAddress(email: string): void {
  if (email.length > longest.email) throw refuse('emailTooLong', { max: longest.email })
}

/** Letters that only look like others would make the address of somebody else the same as this one. */
function isAddress(text: string): boolean {
  return (
    /^[^\s@]+@[^\s@]+$/.test(text) && text.normalize('NFKC') === text.normalize('NFC') && !hasHiddenCharacters(text)
  )
}

/** Emoji that are made of several characters: what joins those is seen in what they become. */
// biome-ignore lint/complexity/useRegexLiterals: the compiler knows this flag only for targets from ES2024 on
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv')
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Whether a text holds what nobody sees, or what changes how the text around it is seen: line breaks and other control
 * characters, direction marks and overrides, zero-width and filling characters. Such a name passes for another one, or
 * carries lines of its own into a mail.
 */
function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text.replace(emoji, ''))
}

/** For what owners call their things: shown in lists, and in mails about them. */
export function refuseHidden(text: string, field: string): void {
  if (hasHiddenCharacters(text)) throw refuse('hiddenCharacters', { field })
}
