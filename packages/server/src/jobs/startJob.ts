import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { enqueueRun } from './enqueueRun.ts'

/** Asks for a run of a job. Answers the id of its status. */
export async function startJob(context: Context, name: string, params: WireFields): Promise<string> {
  if (!context.registry.jobs.has(name)) {
    throw new CountersignError('ScriptFailed', 'Invalid job.')
  }
  const id = await enqueueRun(context, { job: name, params, source: 'api' })
  if (id === undefined) throw new Error('a run without a tick was taken for one that is known')
  return id
}
