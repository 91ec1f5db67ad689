/** Lets so many at once do something, and the others wait for their turn. */
export function createTurnstile(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The place is handed on, not given back, where someone waits for it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
