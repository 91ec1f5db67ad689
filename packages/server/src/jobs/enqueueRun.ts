import type { WireFields } from '@countersign/protocol'
import { newObjectId } from '../classes/newObjectId.ts'
import { startOf } from '../classes/systemFields.ts'
import { withFreshClasses } from '../classes/withFreshClasses.ts'
import type { Context } from '../context/Context.ts'
import { tableOf } from '../db/createBindings.ts'
import { json } from '../db/sql.ts'

/** Servers that run jobs listen here for runs, and for schedules that changed. */
export const jobsChannel = 'countersign_jobs'

export type NewRun = {
  job: string
  params: WireFields
  source: 'api' | 'schedule'
  schedule?: string
  tick?: Date
}

/** Puts a run into the queue, with the status by which it is followed. Answers its id; none for a tick that is known. */
export async function enqueueRun(context: Context, run: NewRun): Promise<string | undefined> {
  const { classes, clock, db } = context
  const id = newObjectId()
  const now = clock.now()
  return withFreshClasses(classes, async () => {
    await classes.widen('_JobStatus', statusFields, { create: true })
    const rows = await db.query({
      name: 'enqueue-run',
      text: `with queued as (
               insert into countersign.job_runs (id, job, params, schedule, tick, due) values ($1, $2, $3, $4, $5, $6)
               on conflict (schedule, tick) do nothing returning id
             ), noted as (
               insert into ${tableOf('_JobStatus')}
                 ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", "jobName", "source", "status", "params", "attempts")
               select id, $6, $6, '{}'::text[], '{}'::text[], $2, $7, 'running', $3, 0 from queued
             )
             select pg_notify('${jobsChannel}', '') from queued`,
      values: [id, run.job, json(run.params), run.schedule ?? null, run.tick ?? null, now, run.source],
    })
    return rows.length === 0 ? undefined : id
  })
}

const statusFields = new Map(
  startOf('_JobStatus').flatMap((step) => (step.kind === 'addField' ? [[step.name, step.field] as const] : [])),
)
