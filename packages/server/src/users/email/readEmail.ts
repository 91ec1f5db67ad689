import { longest, refuse, type WireValue } from '@countersign/protocol'
import { hasHiddenCharacters } from '../hiddenCharacters.ts'

export function readEmail(value: WireValue): string {
  if (typeof value !== 'string') throw refuse('invalidEmailAddress')
  refuseLongAddress(value)
  if (!isAddress(value)) throw refuse('invalidEmailAddress')
  return value
}

/** Returns true if untrusted text could be an account's address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= longest.email && isAddress(text)
}

function refuseLongAddress(email: string): void {
  if (email.length > longest.email) throw refuse('emailTooLong', { max: longest.email })
}

/**
 * One mailbox in one spelling, as the mailer sends it: no angle brackets, quotes, comments, lists, address literals or
 * final dots, which mailers and mail servers take away or read in their own way. Limits count by the text, so each
 * further spelling of an address would have a limit of its own.
 */
const mailbox = /^[^\s@()<>[\]:;,\\"]+@[\w\P{ASCII}-]+(?:\.[\w\P{ASCII}-]+)*$/u

/** Letters that only look like others would make the address of somebody else the same as this one. */
function isAddress(text: string): boolean {
  return (
    mailbox.test(text) &&
    // White space, and a full stop that mailers read as a dot.
    !/[\s\u3002]/.test(text) &&
    text.normalize('NFKC') === text.normalize('NFC') &&
    !hasHiddenCharacters(text)
  )
}
