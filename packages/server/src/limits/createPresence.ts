import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'
import { createPoller } from '../work/createPoller.ts'
import { forgetProcess, lifetime, noteProcess } from './limitWindows.ts'

type Parts = {
  db: Database
  clock: Clock
  log: Logger
  /** Time (ms) between two signs of life. */
  beat: number
}

/** Signs of life of this process among those that share limits, and their number. */
export function createPresence({ db, clock, log, beat }: Parts) {
  const self = randomUUID()
  let processes = 1
  let notedAt = Number.NEGATIVE_INFINITY
  /** Time of the first sign of life without a gap after it. */
  let presentSince = Number.POSITIVE_INFINITY

  const noteSelf = async () => {
    const now = performance.now()
    processes = await noteProcess(db, self, clock.shift?.() ?? 0)
    if (now - notedAt > lifetime) presentSince = clock.ms()
    notedAt = now
  }
  const poller = createPoller({ log, name: 'limits', turn: noteSelf, poll: beat })

  return {
    processes: () => processes,
    /** True if the others have counted this process for longer than this time (ms). */
    isKnownFor: (length: number) => clock.ms() - presentSince > length && performance.now() - notedAt < lifetime,
    stop: () => poller.stop(),
    forget: () =>
      forgetProcess(db, self).catch((error) => log.warn({ err: error }, 'the end of a process was not noted')),
  }
}
