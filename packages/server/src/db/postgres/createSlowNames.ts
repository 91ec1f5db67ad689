export type SlowNames = { add(name: string): void; has(name: string): boolean }

/** A load that passes makes statements slow that are quick otherwise, so what was once slow is tried again. */
const remembered = 60_000
const mostNames = 1_000

/** The names of statements that were slow of late. */
export const createSlowNames = (): SlowNames => {
  const until = new Map<string, number>()
  return {
    add: (name) => {
      if (until.size >= mostNames) until.clear()
      until.set(name, Date.now() + remembered)
    },
    has: (name) => {
      if (until.size === 0) return false
      const end = until.get(name)
      if (end === undefined) return false
      if (end > Date.now()) return true
      until.delete(name)
      return false
    },
  }
}
