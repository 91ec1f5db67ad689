import type { Context } from '../context/Context.ts'
import { tableOf } from '../db/createBindings.ts'
import { leaseLength, type Run } from './claimRun.ts'
import { jobsChannel } from './enqueueRun.ts'

/** Keeps the run for longer. Answers whether it still was this runner's. */
export async function renewLease({ db, clock }: Context, run: Run): Promise<boolean> {
  const rows = await db.query({
    name: 'renew-lease',
    text: 'update countersign.job_runs set lease_until = $3 where id = $1 and runner = $2 returning 1',
    values: [run.id, run.runner, new Date(clock.now().getTime() + leaseLength)],
  })
  return rows.length > 0
}

/** Writes down how far the run has come. What is no longer this runner's is left alone. */
export async function noteProgress(
  { db, clock }: Context,
  run: Run,
  message: string,
  fraction: number | undefined,
): Promise<void> {
  await db.query({
    name: 'note-progress',
    text: `update ${tableOf('_JobStatus')} set "message" = $3, "progress" = coalesce($4, "progress"), "updatedAt" = $5
           where "objectId" = $1 and exists (select from countersign.job_runs where id = $1 and runner = $2)`,
    values: [run.id, run.runner, message, fraction ?? null, clock.now()],
  })
}

/** Ends the run for good. A runner that lost its lease ends nothing. */
export async function endRun(
  { db, clock }: Context,
  run: Run,
  status: 'succeeded' | 'failed',
  message: string | undefined,
): Promise<void> {
  await db.query({
    name: 'end-run',
    text: `with ended as (delete from countersign.job_runs where id = $1 and runner = $2 returning id)
           update ${tableOf('_JobStatus')} s
           set "status" = $3, "message" = coalesce($4, "message"), "finishedAt" = $5, "updatedAt" = $5,
               "progress" = case when $3 = 'succeeded' then 1 else "progress" end
           from ended where s."objectId" = ended.id`,
    values: [run.id, run.runner, status, message ?? null, clock.now()],
  })
}

/** Puts a run that threw back into the queue, for later. */
export async function retryRun({ db, clock }: Context, run: Run, message: string, delay: number): Promise<void> {
  const now = clock.now()
  await db.query({
    name: 'retry-run',
    text: `with waiting as (
             update countersign.job_runs set runner = null, lease_until = null, failures = failures + 1, due = $3
             where id = $1 and runner = $2 returning id
           )
           update ${tableOf('_JobStatus')} s set "message" = $4, "updatedAt" = $5
           from waiting where s."objectId" = waiting.id`,
    values: [run.id, run.runner, new Date(now.getTime() + delay), message, now],
  })
}

/** Gives a run back that this server will not end, at once and without counting it as a loss. */
export async function handBackRun({ db }: Context, run: Run): Promise<void> {
  await db.query({
    name: 'hand-back-run',
    text: `with free as (
             update countersign.job_runs set runner = null, lease_until = null where id = $1 and runner = $2 returning id
           )
           select pg_notify('${jobsChannel}', '') from free`,
    values: [run.id, run.runner],
  })
}
