import { hash } from 'node:crypto'
import type { Statement } from './Statement.ts'

/**
 * A statement that is longer costs more memory, on every connection, than its preparing saves. Queries of a class with
 * 500 fields fit: to parse one takes ten times as long as to run it.
 */
const longestText = 40_000

const mostNames = 1_000

const mostSeen = 10_000

/** The least lately used come first. */
const names = new Map<string, string>()

const seen = new Set<string>()

let given = 0

/**
 * Statement from built text, with a name if it comes again: one that is used once need not be prepared. Callers choose
 * the shapes, so unused ones are evicted. No name is reused.
 */
export function nameStatement(text: string, values: unknown[]): Statement {
  const name = names.get(text)
  if (name !== undefined) {
    names.delete(text)
    names.set(text, name)
    return { name, text, values }
  }
  if (text.length > longestText || isNew(text)) return { text, values }
  const made = `shape-${++given}`
  names.set(text, made)
  if (names.size > mostNames) names.delete(names.keys().next().value as string)
  return { name: made, text, values }
}

function isNew(text: string): boolean {
  const key = hash('sha256', text, 'base64url')
  if (seen.delete(key)) return false
  if (seen.size >= mostSeen) seen.clear()
  seen.add(key)
  return true
}
