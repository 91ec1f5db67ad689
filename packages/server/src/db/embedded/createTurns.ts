export type Turns = {
  /** Calls `act` as soon as no transaction is open. */
  pass<Result>(act: () => Promise<Result>): Promise<Result>
  /** Waits until no transaction is open and keeps everyone else out; the answer ends that. */
  take(): Promise<() => void>
}

type Waiting = { exclusive: boolean; start: () => void }

/** The one connection of the embedded database: a transaction has it alone, everyone gets it in the order of asking. */
export const createTurns = (): Turns => {
  let taken = false
  let waiting: Waiting[] = []

  const give = () => {
    taken = false
    const queue = waiting
    waiting = []
    for (const [position, { exclusive, start }] of queue.entries()) {
      // Started within this call: a statement that went out a moment later could land inside the next transaction.
      start()
      if (!exclusive) continue
      taken = true
      waiting = queue.slice(position + 1)
      return
    }
  }

  return {
    pass: (act) => {
      if (!taken) return act()
      return new Promise((resolve) => {
        waiting.push({ exclusive: false, start: () => resolve(act()) })
      })
    },
    take: () => {
      if (taken) {
        return new Promise((resolve) => {
          waiting.push({ exclusive: true, start: () => resolve(give) })
        })
      }
      taken = true
      return Promise.resolve(give)
    },
  }
}
