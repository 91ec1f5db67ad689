export type Slots = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Lets so many work at once; the others wait for their turn. */
export function createSlots(most: number): Slots {
  const waiting: (() => void)[] = []
  let taken = 0
  return async (work) => {
    if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else taken++
    try {
      return await work()
    } finally {
      // The place is handed on, not given back, where someone waits for it.
      const next = waiting.shift()
      if (next) next()
      else taken--
    }
  }
}
