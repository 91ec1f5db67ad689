import { CountersignError, type WireFields } from '@countersign/protocol'
import { Cron } from 'croner'

/** When a schedule is due: after a time, the next one. */
export type Timing = { next(after: Date): Date | undefined }

const minute = 60_000

/** A cron expression in a time zone. A time that the clocks skip is made up for after it; one that comes twice counts once. */
export function readCron(cron: string, timeZone = 'UTC'): Timing {
  try {
    const parsed = new Cron(cron, { paused: true, timezone: timeZone })
    parsed.nextRun(new Date(0))
    return { next: (after) => parsed.nextRun(after) ?? undefined }
  } catch (error) {
    throw new CountersignError(
      'InvalidValue',
      `"${cron.slice(0, 100)}" in ${timeZone.slice(0, 60)} is no schedule: ${reason(error)}. An example: "0 3 * * 1-5" in Europe/Berlin.`,
    )
  }
}

/** The timing of a schedule of the API: `cron`, or once at `startAfter` and then every `repeatMinutes`. */
export function readTiming(schedule: WireFields): Timing {
  const { cron, timeZone, startAfter, repeatMinutes } = schedule
  if (typeof cron === 'string') return readCron(cron, typeof timeZone === 'string' ? timeZone : undefined)
  const start = typeof startAfter === 'string' ? Date.parse(startAfter) : Number.NaN
  if (Number.isNaN(start)) {
    throw new CountersignError('InvalidValue', 'A schedule needs cron, or startAfter as an ISO time.')
  }
  const step = typeof repeatMinutes === 'number' ? repeatMinutes * minute : 0
  if (repeatMinutes !== undefined && repeatMinutes !== null && !(step >= minute)) {
    throw new CountersignError('InvalidValue', 'repeatMinutes must be a number of minutes, 1 at least.')
  }
  return {
    next(after) {
      if (after.getTime() < start) return new Date(start)
      if (step === 0) return undefined
      return new Date(start + (Math.floor((after.getTime() - start) / step) + 1) * step)
    },
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^CronPattern: |\.$/g, '') : String(error)
}
