import { hash } from 'node:crypto'
import type { Statement } from './Database.ts'

/** Names are prepared on every connection and stay there, so a caller who invents shapes must not make one for each. */
const mostNames = 2_000
const mostSeen = 10_000
const names = new Map<string, string>()
const seen = new Set<string>()

/** A statement whose text was put together, with a name if it comes again: one that is used once need not be prepared. */
export function nameStatement(text: string, values: unknown[]): Statement {
  const name = names.get(text)
  if (name !== undefined) return { name, text, values }
  if (names.size >= mostNames) return { text, values }
  if (!seen.delete(text)) {
    if (seen.size >= mostSeen) seen.clear()
    seen.add(text)
    return { text, values }
  }
  const made = hash('sha256', text, 'base64url').slice(0, 24)
  names.set(text, made)
  return { name: made, text, values }
}
