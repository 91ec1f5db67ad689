import type { Logger } from 'pino'

export type Background = {
  /** Starts work that the answer does not wait for. A failure is logged under its name. */
  run(name: string, work: () => Promise<unknown>): void
  /** Resolves when all of it has ended. */
  settle(): Promise<void>
}

export function createBackground(log: Logger): Background {
  const running = new Set<Promise<unknown>>()
  return {
    run(name, work) {
      const done = Promise.resolve()
        .then(work)
        .catch((error) => log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },
    async settle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
