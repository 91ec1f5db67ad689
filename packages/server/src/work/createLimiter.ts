export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Queue limit. Later callers are rejected. */
type Line = { longest: number; refuse(): never }

/** Lets so many work at once; the others wait for their turn. */
export function createLimiter(atOnce: number, line?: Line): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else {
      if (line && waiting.length >= line.longest) line.refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
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
