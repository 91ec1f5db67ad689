export type Random = {
  /** From 0 up to, not including, `below`. */
  below(below: number): number
  /** True in that share of the calls. */
  happens(share: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Numbers that look drawn and are the same at every start. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    happens: (share) => next() < share,
    pick(from) {
      const found = from[below(from.length)]
      if (found === undefined) throw new Error('There is nothing to pick from.')
      return found
    },
  }
}
