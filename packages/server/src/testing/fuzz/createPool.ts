import fc from 'fast-check'

/** Values of a running server by name: ids, tokens, messages. Cases that use them get further than random ones. */
export type Pool = {
  add(name: string, ...values: unknown[]): void
  /** Replaces all values of a name. */
  set(name: string, values: unknown[]): void
  /** One of the values, chosen when the case is generated. */
  one(name: string): fc.Arbitrary<unknown>
  has(name: string): boolean
  list(name: string): unknown[]
}

/** Values kept of each name: new ones replace the oldest, so that memory stays flat. */
const most = 60

export function createPool(): Pool {
  const values = new Map<string, unknown[]>()
  const list = (name: string) => values.get(name) ?? []
  return {
    add(name, ...added) {
      const all = [...list(name), ...added]
      values.set(name, all.slice(-most))
    },
    set: (name, given) => void values.set(name, given),
    one: (name) => fc.nat().map((at) => list(name)[at % Math.max(list(name).length, 1)] ?? 'nosuch'),
    has: (name) => list(name).length > 0,
    list,
  }
}
