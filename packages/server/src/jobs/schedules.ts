import { CountersignError, refuse, type WireFields } from '@countersign/protocol'
import type { Contract } from '@countersign/protocol/contract'
import { Cron } from 'croner'
import type { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { parseJson } from '../encoding/parseJson.ts'
import { showText } from '../encoding/showText.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { createObject } from '../objects/createObject.ts'
import { decodeObject, type JsonRow } from '../objects/decodeObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { findClass } from '../objects/findClass.ts'
import { updateObject } from '../objects/updateObject.ts'
import { jobsChannel } from './runs.ts'

/** When a schedule is due: after a time, the next one. */
export type Timing = { next(after: Date): Date | undefined }

const minute = 60_000
/** Last time that has four digits for the year: others are no instants of the API. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')
const mostMinutes = 10_000_000

/** A cron expression in a time zone. A time that the clocks skip is made up for after it; one that comes twice counts once. */
export function readCron(cron: string, timeZone = 'UTC'): Timing {
  try {
    const parsed = new Cron(cron, { paused: true, timezone: timeZone })
    parsed.nextRun(new Date(0))
    return { next: (after) => parsed.nextRun(after) ?? undefined }
  } catch (error) {
    throw new CountersignError(
      'InvalidValue',
      `"${cron.slice(0, 100)}" in ${timeZone.slice(0, 60)} is not a valid schedule: ${reason(error)}. Example: "0 3 * * 1-5" in Europe/Berlin.`,
    )
  }
}

/** The timing of a schedule of the API: `cron`, or once at `startAfter` and then every `repeatMinutes`. */
export function readTiming(schedule: WireFields): Timing {
  const { cron, timeZone, startAfter, repeatMinutes } = schedule
  if (typeof cron === 'string') return readCron(cron, typeof timeZone === 'string' ? timeZone : undefined)
  const start = typeof startAfter === 'string' ? Date.parse(startAfter) : Number.NaN
  if (!(Math.abs(start) <= lastTime)) {
    throw new CountersignError('InvalidValue', 'A schedule needs cron, or startAfter as an ISO time.')
  }
  const step = typeof repeatMinutes === 'number' ? repeatMinutes * minute : 0
  if (repeatMinutes !== undefined && repeatMinutes !== null && !(step >= minute && step <= mostMinutes * minute)) {
    throw new CountersignError('InvalidValue', `repeatMinutes must be a number of minutes, from 1 to ${mostMinutes}.`)
  }
  return {
    next(after) {
      if (after.getTime() < start) return new Date(start)
      if (step === 0) return undefined
      return new Date(start + (Math.floor((after.getTime() - start) / step) + 1) * step)
    },
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^CronPattern: |\.$/g, '') : String(error)
}

/** A schedule as it is kept, whatever way it came in. */
export type Schedule = {
  id: string
  /** Changes with the content of the schedule. */
  version: string
  job: string
  params: WireFields
  timing: Timing
  /** Ticks after its last change count: a new plan makes up for nothing. In the code: after it was first seen. */
  since?: Date
}

/** Reads a schedule of the API. Throws where it names no job, or no time. */
export function readSchedule({ registry }: Pick<Context, 'registry'>, schedule: WireFields): Schedule {
  const { objectId, jobName, params, updatedAt } = schedule
  if (typeof jobName !== 'string' || !registry.jobs.has(jobName)) {
    throw new CountersignError('ScriptFailed', `Job "${showText(jobName, 100)}" does not exist.`)
  }
  return {
    id: String(objectId),
    version: String(updatedAt),
    job: jobName,
    params: readParams(params),
    timing: readTiming(schedule),
    ...(typeof updatedAt === 'string' && { since: new Date(Date.parse(updatedAt) - 1) }),
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

/** The schedules that were made through the API. */
export async function listSchedules(context: Context): Promise<WireFields[]> {
  const schema = await findClass(context, '_JobSchedule')
  if (!schema) return []
  const rows = await context.db.query<{ row: JsonRow }>(
    sql`select row_to_json(o.*) as row from ${sql.table('_JobSchedule')} o where "jobName" is not null order by "createdAt", "objectId" limit 1000`,
  )
  return rows.map(({ row }) => decodeObject(schema, row))
}

export type ScheduleInput = Omit<z.output<Contract['createSchedule']['input']>, 'job_schedule'>

async function createSchedule(context: Context, caller: Caller, input: ScheduleInput): Promise<WireFields> {
  const { fields } = readFields(input)
  if (fields.cron === undefined) fields.startAfter ??= soon(context)
  readSchedule(context, fields)
  const { objectId, createdAt } = await createObject(context, caller, '_JobSchedule', fields)
  await tell(context)
  return { ...fields, objectId, createdAt, updatedAt: createdAt }
}

/** Default of the first run: times before the schedule was saved do not count. */
const soon = ({ clock }: Context) => new Date(clock.now().getTime() + 1_000).toISOString()

async function updateSchedule(
  context: Context,
  caller: Caller,
  objectId: string,
  input: ScheduleInput,
): Promise<WireFields> {
  const before = (await listSchedules(context)).find((schedule) => schedule.objectId === objectId)
  if (!before) throw refuse('objectNotFound')
  const { fields, cleared } = readFields(input)
  const after: WireFields = { ...before, ...fields }
  for (const name of cleared) delete after[name]
  readSchedule(context, after)
  const gone = Object.fromEntries(cleared.map((name) => [name, { __op: 'Delete' }]))
  const { updatedAt } = await updateObject(context, caller, '_JobSchedule', objectId, { ...fields, ...gone })
  await tell(context)
  return { ...after, updatedAt }
}

async function deleteSchedule(context: Context, caller: Caller, objectId: string): Promise<WireFields> {
  await deleteObject(context, caller, '_JobSchedule', objectId)
  await context.db.query(sql`delete from countersign.schedules where id = ${objectId}`)
  await tell(context)
  return {}
}

/** Reads the given fields, and the names of those that are null. Parameters are stored as text. */
function readFields({ params, ...given }: ScheduleInput): { fields: WireFields; cleared: string[] } {
  const fields: WireFields = {}
  const cleared: string[] = []
  const text = typeof params === 'object' && params !== null ? JSON.stringify(params) : params
  for (const [name, value] of Object.entries({ ...given, params: text }))
    if (value === null) cleared.push(name)
    else if (value !== undefined) fields[name] = value
  return { fields, cleared }
}

async function tell({ db }: Context): Promise<void> {
  await db.query(sql`select pg_notify(${jobsChannel}, '')`)
}

export const listSchedulesEndpoint = defineEndpoint('listSchedules', {
  handle: ({ context }) => listSchedules(context),
})

export const listJobsEndpoint = defineEndpoint('listJobs', {
  async handle({ context }) {
    const used = (await listSchedules(context)).map(({ jobName }) => String(jobName))
    const { jobs } = context.registry
    for (const [name, { schedule }] of jobs) if (schedule !== undefined) used.push(name)
    return { in_use: [...new Set(used)].sort(), jobs: [...jobs.keys()].sort() }
  },
})

export const createScheduleEndpoint = defineEndpoint('createSchedule', {
  handle: ({ context, caller, input: { job_schedule, ...schedule } }) =>
    createSchedule(context, caller, job_schedule ?? schedule),
})

export const updateScheduleEndpoint = defineEndpoint('updateSchedule', {
  handle: ({ context, caller, params, input: { job_schedule, ...schedule } }) =>
    updateSchedule(context, caller, params.objectId, job_schedule ?? schedule),
})

export const deleteScheduleEndpoint = defineEndpoint('deleteSchedule', {
  handle: ({ context, caller, params }) => deleteSchedule(context, caller, params.objectId),
})
