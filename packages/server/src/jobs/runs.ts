import { randomUUID } from 'node:crypto'
import { CountersignError, type WireFields } from '@countersign/protocol'
import { withFreshClasses } from '../classes/createClasses.ts'
import { newObjectId } from '../classes/names.ts'
import { startOf } from '../classes/systemFields.ts'
import type { Context } from '../context/Context.ts'
import { json, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { respond } from '../endpoint/respond.ts'

/** Servers that run jobs listen here for runs, and for schedules that changed. */
export const jobsChannel = 'countersign_jobs'

export type NewRun = {
  job: string
  params: WireFields
  source: 'api' | 'schedule'
  schedule?: string
  tick?: Date
}

/** Queues a run with its status. Returns its id; undefined for a known tick. */
export async function enqueueRun(context: Context, run: NewRun): Promise<string | undefined> {
  const { classes, clock, db } = context
  const id = newObjectId()
  const now = clock.now()
  return withFreshClasses(classes, async () => {
    await createStatusClass(context)
    const params = sql.param(json(run.params))
    const rows = await db.query(sql.named('enqueue-run')`
      with queued as (
        insert into countersign.job_runs (id, job, params, schedule, tick, due)
        values (${id}, ${run.job}, ${params}, ${run.schedule ?? null}, ${run.tick ?? null}, ${now})
        on conflict (schedule, tick) do nothing
        returning id
      ), noted as (
        insert into ${sql.table('_JobStatus')} ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm",
          "jobName", "source", "status", "params", "attempts")
        select id, ${now}, ${now}, '{}'::text[], '{}'::text[], ${run.job}, ${run.source}, 'running', ${params}, 0
        from queued
      )
      select pg_notify(${jobsChannel}, '') from queued`)
    db.reportChange('_JobStatus')
    return rows.length === 0 ? undefined : id
  })
}

const statusFields = new Map(
  startOf('_JobStatus').flatMap((step) => (step.kind === 'addField' ? [[step.name, step.field] as const] : [])),
)

/** Creates the class of job runs, unless it exists. */
export async function createStatusClass({ classes }: Pick<Context, 'classes'>): Promise<void> {
  await classes.widen('_JobStatus', statusFields, { create: true })
}

/** Requests a run of a job. Returns the id of its status. */
async function startJob(context: Context, name: string, params: WireFields): Promise<string> {
  if (!context.registry.jobs.has(name)) {
    throw new CountersignError('ScriptFailed', 'Invalid job.')
  }
  const id = await enqueueRun(context, { job: name, params, source: 'api' })
  if (id === undefined) throw new Error('a run without a tick was taken for one that is known')
  return id
}

/** A run that is this server's for as long as its lease is renewed. */
export type Run = {
  id: string
  job: string
  params: WireFields
  runner: string
  /** How often it was started, threw, and was lost with its server. */
  starts: number
  failures: number
  losses: number
}

/** Milliseconds after which a server that fell silent has lost its runs. */
export const leaseLength = 30_000

/** Takes the run that has waited longest, of the jobs that this server has code for. */
export async function claimRun({ db, clock }: Context, jobs: string[]): Promise<Run | undefined> {
  const now = clock.now()
  const [run] = await db.query<Run>(sql.named('claim-run')`
    with free as (
      select id from countersign.job_runs
      where job = any(${jobs}) and due <= ${now} and (lease_until is null or lease_until <= ${now})
      order by due
      limit 1
      for update skip locked
    ), claimed as (
      update countersign.job_runs r set
        runner = ${randomUUID()}, lease_until = ${new Date(now.getTime() + leaseLength)}, starts = r.starts + 1,
        losses = r.losses + case when r.runner is null then 0 else 1 end
      from free
      where r.id = free.id
      returning r.id, r.job, r.params, r.runner, r.starts, r.failures, r.losses
    ), noted as (
      update ${sql.table('_JobStatus')} s set "attempts" = claimed.starts, "updatedAt" = ${now}
      from claimed
      where s."objectId" = claimed.id
    )
    select * from claimed`)
  if (run) db.reportChange('_JobStatus')
  return run
}

const day = 24 * 3_600_000

/** Clears away the status of runs that ended long ago, and schedules that no code has any more. */
export async function sweepJobs({ config, db, clock, classes }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.jobs.retentionDays * day)
  await db.query(sql`delete from countersign.schedules where seen < ${before}`)
  if (!classes.find('_JobStatus')) return
  await db.query(sql`delete from ${sql.table('_JobStatus')} where "finishedAt" < ${before}`)
  db.reportChange('_JobStatus')
}

export const startJobEndpoint = defineEndpoint('startJob', {
  handle: async ({ context, input, params }) => started(await startJob(context, params.jobName, input)),
})

export const startNamedJobEndpoint = defineEndpoint('startNamedJob', {
  handle: async ({ context, input: { jobName, ...params } }) => started(await startJob(context, jobName, params)),
})

const started = (id: string) => respond({}, { headers: { 'X-Parse-Job-Status-Id': id } })
