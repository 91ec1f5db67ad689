import type { Context } from '../context/Context.ts'
import type { RegisteredJob } from '../context/Registry.ts'
import { sql } from '../db/sql.ts'
import { jobsChannel, leaseLength, type Run } from './runs.ts'

/** A run that takes its server down with it must not go on to take down all of them. */
const mostLosses = 3
const longestMessage = 10_000

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A server that stops asks its jobs to end, and after a while waits no longer. */
export type Stopping = { asked: AbortSignal; now: AbortSignal }

/**
 * Runs a claimed job, keeping its lease, and stores the result; a run cut short by a stop is handed back. Returns the
 * retry delay in ms, or undefined.
 */
export async function runJob(
  context: Context,
  job: RegisteredJob,
  run: Run,
  stopping: Stopping,
): Promise<number | undefined> {
  const { config, log } = context
  if (run.losses > mostLosses) {
    await endRun(context, run, 'failed', `Stopped trying: its server ended ${run.losses} times during the run.`)
    return undefined
  }
  const control = new AbortController()
  const seconds = job.timeoutSeconds ?? config.jobs.timeoutSeconds
  const limit = setTimeout(() => {
    control.abort(new Error(`The job exceeded its limit of ${seconds} seconds.`))
  }, seconds * 1000)
  const endKeeping = keepLease(context, run, () => control.abort(new LeaseLost('Another server took over the run.')))
  const signal = AbortSignal.any([control.signal, stopping.asked])
  try {
    const message = await untilAborted(AbortSignal.any([control.signal, stopping.now]), () =>
      job.run({
        name: run.job,
        params: run.params,
        signal,
        progress: (message, fraction) => noteProgress(context, run, cut(message), readFraction(fraction)),
      }),
    )
    await endRun(context, run, 'succeeded', message === undefined ? undefined : cut(String(message)))
    return undefined
  } catch (error) {
    if (error instanceof LeaseLost) {
      log.warn({ job: run.job, run: run.id }, 'another server took over a job run')
      return undefined
    }
    if (stopping.asked.aborted && !control.signal.aborted) {
      await handBackRun(context, run)
      return undefined
    }
    const message = cut(error instanceof Error ? error.message : String(error))
    if (run.failures + 1 >= (job.maxAttempts ?? 1)) {
      await endRun(context, run, 'failed', message)
      return undefined
    }
    const delay = backOff(run.failures)
    await retryRun(context, run, message, delay)
    return delay
  } finally {
    clearTimeout(limit)
    endKeeping()
  }
}

/** Renews the lease three times in its length. Code that cannot be stopped from outside at least cannot end the run. */
function keepLease(context: Context, run: Run, lost: () => void): () => void {
  let kept = performance.now()
  const timer = setInterval(() => {
    const asked = performance.now()
    renewLease(context, run).then(
      (still) => {
        if (still) kept = asked
        else lost()
      },
      // The database is unreachable: the run continues until its lease expires.
      () => performance.now() - kept > leaseLength && lost(),
    )
  }, leaseLength / 3)
  timer.unref()
  return () => clearInterval(timer)
}

function untilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    Promise.resolve().then(work).then(resolve, reject)
  })
}

/** Two seconds, then twice as long each time, up to an hour; by chance up to a half more, so that runs part ways. */
function backOff(failures: number): number {
  return Math.min(2_000 * 2 ** failures, 3_600_000) * (1 + Math.random() / 2)
}

function readFraction(fraction: number | undefined): number | undefined {
  return fraction === undefined || Number.isNaN(fraction) ? undefined : Math.min(Math.max(fraction, 0), 1)
}

function cut(text: string): string {
  // A text of PostgreSQL cannot hold the zero character.
  return text.slice(0, longestMessage).replaceAll('\0', '')
}

/** Extends the lease. Returns true if the run still belonged to this runner. */
async function renewLease({ db, clock }: Context, run: Run): Promise<boolean> {
  const rows = await db.query(sql.named('renew-lease')`
    update countersign.job_runs set lease_until = ${new Date(clock.now().getTime() + leaseLength)}
    where id = ${run.id} and runner = ${run.runner}
    returning 1`)
  return rows.length > 0
}

/** Stores the progress of a run, if it still belongs to this runner. */
async function noteProgress(
  { db, clock }: Context,
  run: Run,
  message: string,
  fraction: number | undefined,
): Promise<void> {
  await db.query(sql.named('note-progress')`
    update ${sql.table('_JobStatus')} set
      "message" = ${message}, "progress" = coalesce(${fraction ?? null}, "progress"), "updatedAt" = ${clock.now()}
    where "objectId" = ${run.id}
      and exists (select from countersign.job_runs where id = ${run.id} and runner = ${run.runner})`)
  db.reportChange('_JobStatus')
}

/** Ends the run for good. A runner that lost its lease ends nothing. */
async function endRun(
  { db, clock }: Context,
  run: Run,
  status: 'succeeded' | 'failed',
  message: string | undefined,
): Promise<void> {
  const now = sql.param(clock.now())
  await db.query(sql.named('end-run')`
    with ended as (delete from countersign.job_runs where id = ${run.id} and runner = ${run.runner} returning id)
    update ${sql.table('_JobStatus')} s set
      "status" = ${status}, "message" = coalesce(${message ?? null}, "message"),
      "progress" = coalesce(${status === 'succeeded' ? 1 : null}, "progress"),
      "finishedAt" = ${now}, "updatedAt" = ${now}
    from ended
    where s."objectId" = ended.id`)
  db.reportChange('_JobStatus')
}

/** Puts a run that threw back into the queue, for later. */
async function retryRun({ db, clock }: Context, run: Run, message: string, delay: number): Promise<void> {
  const now = clock.now()
  await db.query(sql.named('retry-run')`
    with waiting as (
      update countersign.job_runs set runner = null, lease_until = null, failures = failures + 1,
        due = ${new Date(now.getTime() + delay)}
      where id = ${run.id} and runner = ${run.runner}
      returning id
    )
    update ${sql.table('_JobStatus')} s set "message" = ${message}, "updatedAt" = ${now}
    from waiting
    where s."objectId" = waiting.id`)
  db.reportChange('_JobStatus')
}

/** Gives a run back that this server will not end, at once and without counting it as a loss. */
async function handBackRun({ db }: Context, run: Run): Promise<void> {
  await db.query(sql.named('hand-back-run')`
    with free as (
      update countersign.job_runs set runner = null, lease_until = null
      where id = ${run.id} and runner = ${run.runner}
      returning id
    )
    select pg_notify(${jobsChannel}, '') from free`)
}
