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
export const createPlans = (limits = { plans: mostPlans, letters: mostLetters }): Plans => {
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
