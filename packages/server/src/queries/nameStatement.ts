import type { Statement } from '../db/Database.ts'

/** A prepared statement lives as long as its connection, on every one of them; callers choose the shapes of queries. */
const mostNames = 1_000
const mostSeen = 5_000
/** A shape that comes back is worth preparing. */
const timesSeen = 3

const names = new Map<string, string>()
const seen = new Map<string, number>()

/** The statement under a name of its own, where queries of its shape come often. */
export function nameStatement(text: string, values: unknown[]): Statement {
  const name = names.get(text)
  if (name !== undefined) return { name, text, values }
  if (names.size >= mostNames) return { text, values }
  const times = (seen.get(text) ?? 0) + 1
  if (times < timesSeen) {
    if (seen.size >= mostSeen) seen.clear()
    seen.set(text, times)
    return { text, values }
  }
  seen.delete(text)
  const given = `find-${names.size}`
  names.set(text, given)
  return { name: given, text, values }
}
