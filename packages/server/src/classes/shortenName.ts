import { createHash } from 'node:crypto'

/** PostgreSQL cuts longer identifiers, so two long names could become one. */
export const identifierBytes = 63

/** A name that fits: a longer one keeps its beginning for people, and a digest of the whole. ASCII only. */
export function shortenName(name: string): string {
  if (name.length <= identifierBytes) return name
  return `${name.slice(0, 38)}:${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
}
