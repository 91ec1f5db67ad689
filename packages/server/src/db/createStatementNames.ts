export type StatementNames = {
  /** The name under which the statement is prepared at present. */
  current(name: string): string
  /** Gives a statement another name, so that every connection prepares it again. */
  renew(name: string, stale: string): void
}

/**
 * A prepared statement goes stale when its table changes shape. It then gets a new name rather than being
 * deallocated: on a pipelined connection others that use the old one are in flight.
 */
export const createStatementNames = (): StatementNames => {
  const renewed = new Map<string, { name: string; times: number }>()
  return {
    current: (name) => (renewed.size === 0 ? name : (renewed.get(name)?.name ?? name)),
    renew: (name, stale) => {
      const entry = renewed.get(name)
      if ((entry?.name ?? name) !== stale) return
      const times = (entry?.times ?? 0) + 1
      renewed.set(name, { name: `${name}~${times}`, times })
    },
  }
}
