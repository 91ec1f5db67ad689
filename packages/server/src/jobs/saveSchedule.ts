import { refuse, type WireFields } from '@countersign/protocol'
import type { Contract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createObject } from '../objects/createObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { updateObject } from '../objects/updateObject.ts'
import { jobsChannel } from './enqueueRun.ts'
import { listSchedules } from './listSchedules.ts'
import { readSchedule } from './readSchedule.ts'

export type ScheduleInput = Omit<z.output<Contract['createSchedule']['input']>, 'job_schedule'>

export async function createSchedule(context: Context, caller: Caller, input: ScheduleInput): Promise<WireFields> {
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
  input: ScheduleInput,
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

/** What is given of it. Parameters are kept as text. */
function readFields({ params, ...given }: ScheduleInput): WireFields {
  const fields: WireFields = {}
  for (const [name, value] of Object.entries(given)) if (value !== undefined) fields[name] = value
  if (params !== undefined) fields.params = typeof params === 'string' ? params : JSON.stringify(params)
  return fields
}

async function tell({ db }: Context): Promise<void> {
  await db.query({ text: `select pg_notify('${jobsChannel}', '')` })
}
