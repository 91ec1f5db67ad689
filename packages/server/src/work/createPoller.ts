import type { Logger } from 'pino'

export type Poller = {
  /** Takes a turn as soon as none is under way. */
  wake(): void
  /** Takes a turn after this time, unless another comes before. */
  wakeIn(ms: number): void
  /** Takes no further turn, and resolves when the last one has ended. */
  stop(): Promise<void>
}

type Parts = { log: Logger; name: string; turn: () => Promise<void>; poll: number }

/** Takes turns, one at a time: when woken, and every `poll` milliseconds in case that a call to wake was lost. */
export function createPoller({ log, name, turn, poll }: Parts): Poller {
  let stopped = false
  let wanted = false
  let under: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let at = Number.POSITIVE_INFINITY

  const wakeIn = (ms: number) => {
    const delay = Math.min(Math.max(ms, 0), poll)
    const due = performance.now() + delay
    if (stopped || due >= at) return
    clearTimeout(timer)
    at = due
    // Not from the clock again: Node.js 24 warns of a negative delay.
    timer = setTimeout(wake, delay)
    timer.unref()
  }

  const wake = () => {
    wanted = true
    if (stopped || under) return
    under = takeTurns().finally(() => {
      under = undefined
      if (wanted) wake()
    })
  }

  const takeTurns = async () => {
    while (wanted && !stopped) {
      wanted = false
      clearTimeout(timer)
      at = Number.POSITIVE_INFINITY
      await turn().catch((error) => log.warn({ err: error, loop: name }, 'background loop iteration failed, retrying'))
      wakeIn(poll)
    }
  }

  wakeIn(0)
  return {
    wake,
    wakeIn,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await under
    },
  }
}
