import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, nothing, openObject, text, wireObject } from './fields.ts'
import { typed } from './typeNames.ts'

const scheduleText = z.string('IncorrectType').max(1_000, 'InvalidValue')
const clearable = scheduleText.nullish()

const schedule = z.object({
  jobName: scheduleText.optional(),
  description: clearable,
  params: z
    .union([wireObject, text(100_000)], 'InvalidJson')
    .nullish()
    .describe('The parameters of the job, or the JSON of them'),
  cron: clearable.describe('Five fields, or six with seconds in front'),
  timeZone: clearable.describe('Time zone of cron; UTC by default'),
  startAfter: clearable.describe('First run, without cron'),
  timeOfDay: clearable,
  daysOfWeek: z
    .array(z.union([text(20), z.number(), z.boolean()]))
    .max(7)
    .nullish(),
  repeatMinutes: z.number().min(1).max(10_000_000).nullish().describe('Minutes between runs, without cron'),
})
/** The parse-server dashboard wraps its input. */
const wrapped = schedule.extend({ job_schedule: schedule.optional() })

const scheduleRecord = typed('WireFields', openObject({ objectId: z.string(), jobName: z.string() }))

/** Jobs, and when they run. */
export const jobs = {
  startJob: {
    method: 'POST',
    path: '/jobs/:jobName',
    scope: 'jobs:write',
    summary: 'Start a job. X-Parse-Job-Status-Id names its status, an object of _JobStatus.',
    access: 'master',
    params: z.object({ jobName: text(500) }),
    input: openObject({}).describe('The parameters of the job'),
    output: nothing,
  },
  startNamedJob: {
    method: 'POST',
    path: '/jobs',
    scope: 'jobs:write',
    summary: 'Start a job that the parameters name.',
    access: 'master',
    input: openObject({ jobName: z.string('ScriptFailed').max(500, 'ScriptFailed') }),
    output: nothing,
  },
  listSchedules: {
    method: 'GET',
    path: '/cloud_code/jobs',
    scope: 'jobs:read',
    summary: 'Schedules created by API.',
    access: 'master',
    output: z.array(scheduleRecord),
  },
  listJobs: {
    method: 'GET',
    path: '/cloud_code/jobs/data',
    scope: 'jobs:read',
    summary: 'Names of all jobs, and of scheduled ones.',
    access: 'master',
    output: z.strictObject({ in_use: z.array(z.string()), jobs: z.array(z.string()) }),
  },
  createSchedule: {
    method: 'POST',
    path: '/cloud_code/jobs',
    scope: 'jobs:write',
    summary: 'Schedule a job.',
    access: 'master',
    status: 201,
    input: wrapped,
    output: scheduleRecord,
  },
  updateSchedule: {
    method: 'PUT',
    path: '/cloud_code/jobs/:objectId',
    scope: 'jobs:write',
    summary: 'Change the given fields of a schedule. null clears one.',
    access: 'master',
    params: byId,
    input: wrapped,
    output: scheduleRecord,
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/cloud_code/jobs/:objectId',
    scope: 'jobs:write',
    summary: 'Delete a schedule.',
    access: 'master',
    params: byId,
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>
