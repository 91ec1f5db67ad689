import { hash } from 'node:crypto'
import type { Statement } from './Statement.ts'

/** A place on the way through the pieces of a statement; at its end the statement that they make. */
export type Plan = {
  next: Map<unknown, Plan>
  /** Absent where no statement ends here. */
  text: string | undefined
  /** Name that its text was given. Absent where the code names it. */
  name: string | undefined
}

type Plans = {
  readonly first: Plan
  /** The next place by the key of a piece or value. It is made where `isKept`. */
  step(plan: Plan, key: unknown, isKept: boolean): Plan | undefined
  /** Keeps the statement that ends here. */
  keep(plan: Plan, text: string, name: string | undefined): void
}

/** Places of a few thousand statements. */
const mostPlans = 50_000

/** Limit of their texts in memory. */
const mostLetters = 5_000_000

const planOf = (): Plan => ({ next: new Map(), text: undefined, name: undefined })

/**
 * Statements by the pieces that they are composed of. Composing the text of a query again, and looking up its name by
 * that text, costs as much as all the rest of sending it; to follow its pieces costs a tenth. A piece is known by the
 * array of its literal, which is one for each place in the code, or by its text, so that the same way always leads to
 * the same text, whatever class or version it belongs to. Callers choose the shapes: beyond the limits all are dropped.
 */
export function createPlans(limits = { plans: mostPlans, letters: mostLetters }): Plans {
  const first = planOf()
  let count = 0
  let letters = 0
  return {
    first,
    step: (plan, key, isKept) => {
      const found = plan.next.get(key)
      if (found !== undefined || !isKept) return found
      const made = planOf()
      plan.next.set(key, made)
      count++
      return made
    },
    keep: (plan, text, name) => {
      plan.text = text
      plan.name = name
      letters += text.length
      if (count <= limits.plans && letters <= limits.letters) return
      first.next.clear()
      count = 0
      letters = 0
    },
  }
}

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
