import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Access } from '../../roles/accessOf.ts'
import { explainStatement } from './queryPlans.ts'
import { type ReadyFind, writeMatching } from './writeFind.ts'

/** Cost of a plan, in the planner's units, up to which objects are counted: about 50 ms of database time. */
const cheap = 10_000

type Plan = {
  'Plan Rows': number
  'Total Cost': number
  /** Of a class on several servers, with the plan of one of its shards. */
  'Distributed Query'?: { Job: { 'Task Count': number; Tasks: { 'Remote Plan': Explained[][] }[] } }
}
type Explained = { Plan: Plan }

/**
 * Rejects callers who may not read every object: statistics cover all rows, so an estimate under a condition would
 * tell how many hidden objects meet it. The access filter does not help, since its share is estimated separately.
 */
export function checkEstimate({ isMaster }: Access): void {
  if (isMaster) return
  throw new CountersignError(
    'OperationForbidden',
    'count=estimate needs the master key, because an estimate includes objects that others cannot read. Use count=1.',
  )
}

/** Number of rows that the planner expects; `undefined` if counting them is cheap. */
export async function estimateCount(context: Context, ready: ReadyFind): Promise<number | undefined> {
  const [explained] = (await explainStatement(context, writeMatching(ready))) as unknown as Explained[]
  if (!explained) return undefined
  const { plan, shards } = findScan(explained.Plan)
  return plan['Total Cost'] * shards <= cheap ? undefined : plan['Plan Rows'] * shards
}

/** Citus knows no sizes on the coordinator. Objects are spread by their id, so one shard speaks for all. */
function findScan(plan: Plan): { plan: Plan; shards: number } {
  const job = plan['Distributed Query']?.Job
  const shard = job?.Tasks[0]?.['Remote Plan'][0]?.[0]?.Plan
  return job && shard ? { plan: shard, shards: job['Task Count'] } : { plan, shards: 1 }
}
