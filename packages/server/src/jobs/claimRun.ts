import { randomUUID } from 'node:crypto'
import type { WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { tableOf } from '../db/createBindings.ts'

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
  const [run] = await db.query<Run>({
    name: 'claim-run',
    text: `with free as (
             select id from countersign.job_runs
             where job = any($1) and due <= $2 and (lease_until is null or lease_until <= $2)
             order by due limit 1 for update skip locked
           ), claimed as (
             update countersign.job_runs r
             set runner = $3, lease_until = $4, starts = r.starts + 1,
                 losses = r.losses + case when r.runner is null then 0 else 1 end
             from free where r.id = free.id
             returning r.id, r.job, r.params, r.runner, r.starts, r.failures, r.losses
           ), noted as (
             update ${tableOf('_JobStatus')} s set "attempts" = claimed.starts, "updatedAt" = $2
             from claimed where s."objectId" = claimed.id
           )
           select * from claimed`,
    values: [jobs, now, randomUUID(), new Date(now.getTime() + leaseLength)],
  })
  return run
}
