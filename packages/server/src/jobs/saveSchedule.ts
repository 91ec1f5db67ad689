import { CountersignError, refuse, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { longest, refuseLong } from '../context/limits.ts'
import { createObject } from '../objects/createObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { updateObject } from '../objects/updateObject.ts'
import { jobsChannel } from './enqueueRun.ts'
import { listSchedules } from './listSchedules.ts'
import { readSchedule } from './readSchedule.ts'

const texts = ['jobName', 'description', 'startAfter', 'timeOfDay', 'cron', 'timeZone']
const known = [...texts, 'params', 'daysOfWeek', 'repeatMinutes']

export async function createSchedule(context: Context, caller: Caller, input: WireFields): Promise<WireFields> {
  const fields = readFields(input)
  if (fields.cron === undefined) fields.startAfter ??= context.clock.now().toISOString()
  readSchedule(context, fields)
  const { objectId, createdAt } = await createObject(context, caller, '_JobSchedule', fields)
  await tell(context)
  return { ...fields, objectId, createdAt, updatedAt: createdAt }
}

export async function updateSchedule(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireFields,
): Promise<WireFields> {
  const before = (await listSchedules(context)).find((schedule) => schedule.objectId === objectId)
  if (!before) throw refuse('objectNotFound')
  const fields = readFields(input)
  const after = { ...before, ...fields }
  readSchedule(context, after)
  const { updatedAt } = await updateObject(context, caller, '_JobSchedule', objectId, fields)
  await tell(context)
  return { ...after, updatedAt }
}

export async function deleteSchedule(context: Context, caller: Caller, objectId: string): Promise<WireFields> {
  await deleteObject(context, caller, '_JobSchedule', objectId)
  await context.db.query({ text: 'delete from countersign.schedules where id = $1', values: [objectId] })
  await tell(context)
  return {}
}

/** The dashboard of parse-server wraps what it sends. */
function readFields(input: WireFields): WireFields {
  const given = (input.job_schedule ?? input) as WireFields
  const fields: WireFields = {}
  for (const name of known) {
    const value = given[name]
    if (value === undefined) continue
    if (texts.includes(name) && typeof value !== 'string') {
      throw new CountersignError('IncorrectType', `${name} of a schedule must be a text.`)
    }
    if (texts.includes(name)) refuseLong(name, String(value), longest.schedule)
    fields[name] = name === 'params' && typeof value !== 'string' ? JSON.stringify(value) : value
  }
  return fields
}

async function tell({ db }: Context): Promise<void> {
  await db.query({ text: `select pg_notify('${jobsChannel}', '')` })
}
