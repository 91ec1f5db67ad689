export type Queue = { readonly run: <Result>(task: () => Promise<Result>) => Promise<Result> }

/** Runs tasks one after another; a task that finds the queue empty starts at once. */
export function createQueue(): Queue {
  const waiting: (() => void)[] = []
  let busy = false
  return {
    async run(task) {
      if (busy) await new Promise<void>((resolve) => waiting.push(resolve))
      busy = true
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else busy = false
      }
    },
  }
}
