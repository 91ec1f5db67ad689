import type { ConsoleFunctionRecord, ConsoleJobRecord, ConsoleScheduleRecord, WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { listSchedules, readCron, readTiming, type Timing } from '../jobs/schedules.ts'

/** The functions that this server has code for, by name, as far as the code describes them. */
function listConsoleFunctions({ registry }: Context): { results: ConsoleFunctionRecord[] } {
  return {
    results: [...registry.functions].sort(byName).map(([name, { describe }]) => {
      const { input, requires = [], isRemote = false } = describe?.() ?? {}
      return { name, ...(input && { input }), requires: [...requires], isRemote }
    }),
  }
}

/** Jobs with code on this server, and their next times: by their code and by schedules. */
async function listConsoleJobs(context: Context): Promise<{ results: ConsoleJobRecord[] }> {
  const now = context.clock.now()
  const asked = await listSchedules(context)
  return {
    results: [...context.registry.jobs].sort(byName).map(([name, { schedule: cron, timeZone }]) => ({
      name,
      schedules: [
        ...(cron === undefined
          ? []
          : [{ cron, ...(timeZone && { timeZone }), ...findNext(() => readCron(cron, timeZone), now) }]),
        ...asked.filter(({ jobName }) => jobName === name).map((schedule) => describeSchedule(schedule, now)),
      ],
    })),
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

function describeSchedule(schedule: WireFields, now: Date): ConsoleScheduleRecord {
  const { objectId, cron, timeZone, startAfter, repeatMinutes, description } = schedule
  return {
    objectId: String(objectId),
    ...(typeof cron === 'string' && { cron }),
    ...(typeof timeZone === 'string' && { timeZone }),
    ...(typeof startAfter === 'string' && { startAfter }),
    ...(typeof repeatMinutes === 'number' && { repeatMinutes }),
    ...(typeof description === 'string' && { description: description.slice(0, 1_000) }),
    ...findNext(() => readTiming(schedule), now),
  }
}

/** A schedule in the code, or one that another server wrote, may be none. */
function findNext(read: () => Timing, now: Date): { next?: string; error?: string } {
  try {
    const next = read().next(now)
    return next ? { next: next.toISOString() } : {}
  } catch (error) {
    return { error: String((error as Error).message).slice(0, 300) }
  }
}

export const listConsoleFunctionsEndpoint = defineEndpoint('listConsoleFunctions', {
  handle: async ({ context }) => listConsoleFunctions(context),
})

export const listConsoleJobsEndpoint = defineEndpoint('listConsoleJobs', {
  handle: ({ context }) => listConsoleJobs(context),
})
