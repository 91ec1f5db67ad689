import { refuse } from '@countersign/protocol'

/** More than any name or address that was ever stored. */
const longestKnown = 320

/**
 * What makes a user name or e-mail address one: without regard to case, to spaces around it, and to
 * code points that only look different (full-width letters, ligatures).
 */
export function nameKey(name: string): string {
  // The last line of defence: normalising makes a text up to eighteen times as long.
  if (name.length > longestKnown) throw refuse('usernameTooLong', { max: longestKnown })
  return name.normalize('NFKC').trim().toLowerCase()
}
