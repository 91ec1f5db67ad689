/**
 * What makes a user name or e-mail address one: without regard to case, to spaces around it, and to
 * code points that only look different (full-width letters, ligatures).
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}
