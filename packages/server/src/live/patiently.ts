import { setTimeout as pause } from 'node:timers/promises'
import type { LiveParts } from './LiveParts.ts'

const shortBreak = 100

/**
 * Does what needs the database until it succeeds: while it is away nothing can be judged, and nothing new comes either.
 * Costs nothing where there is nothing to do.
 */
export async function patiently<Result>(parts: LiveParts, work: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (parts.flow.isStopped) throw error
      parts.context.log.warn({ err: error }, 'live queries wait for the database')
      await pause(shortBreak, undefined, { ref: false })
    }
  }
}
