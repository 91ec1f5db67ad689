import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { parseJson } from '../context/parseJson.ts'
import { readTiming, type Timing } from './readTiming.ts'

/** A schedule as it is kept, whatever way it came in. */
export type Schedule = {
  id: string
  /** Changes with what the schedule says. */
  version: string
  job: string
  params: WireFields
  timing: Timing
  /** Ticks after this time count; none from before the schedule was first seen, unless given. */
  since?: Date
}

/** Reads a schedule of the API. Throws where it names no job, or no time. */
export function readSchedule({ registry }: Pick<Context, 'registry'>, schedule: WireFields): Schedule {
  const { objectId, jobName, params, createdAt, updatedAt } = schedule
  if (typeof jobName !== 'string' || !registry.jobs.has(jobName)) {
    throw new CountersignError('ScriptFailed', `There is no job "${String(jobName).slice(0, 100)}" to schedule.`)
  }
  return {
    id: String(objectId),
    version: String(updatedAt),
    job: jobName,
    params: readParams(params),
    timing: readTiming(schedule),
    ...(typeof createdAt === 'string' && { since: new Date(Date.parse(createdAt) - 1) }),
  }
}

/** Parameters are kept as text, as the dashboard of parse-server writes them. */
function readParams(params: unknown): WireFields {
  if (params === undefined || params === null || params === '') return {}
  let read: unknown
  try {
    read = typeof params === 'string' ? parseJson(params) : params
  } catch {
    read = undefined
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new CountersignError('InvalidJson', 'params of a schedule must be an object, or the JSON of one.')
  }
  return read as WireFields
}
