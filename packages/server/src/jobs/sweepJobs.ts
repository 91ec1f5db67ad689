import type { Context } from '../context/Context.ts'
import { tableOf } from '../db/createBindings.ts'

const day = 24 * 3_600_000

/** Clears away the status of runs that ended long ago, and schedules that no code has any more. */
export async function sweepJobs({ config, db, clock, classes }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.jobs.keepDays * day)
  await db.query({ text: 'delete from countersign.schedules where seen < $1', values: [before] })
  if (!classes.find('_JobStatus')) return
  await db.query({ text: `delete from ${tableOf('_JobStatus')} where "finishedAt" < $1`, values: [before] })
}
