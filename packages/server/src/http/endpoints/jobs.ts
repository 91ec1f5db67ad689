import type { WireFields } from '@countersign/protocol'
import { z } from 'zod'
import { listSchedules } from '../../jobs/listSchedules.ts'
import { createSchedule, deleteSchedule, updateSchedule } from '../../jobs/saveSchedule.ts'
import { startJob } from '../../jobs/startJob.ts'
import { type Endpoint, respond } from '../Endpoint.ts'

const schedule = z.looseObject({
  jobName: z.string(),
  description: z.string().optional(),
  params: z.looseObject({}).optional(),
  cron: z.string().optional().describe('Five fields, or six with seconds in front'),
  timeZone: z.string().optional().describe('Of cron; UTC unless given'),
  startAfter: z.string().optional().describe('The first time, where there is no cron'),
  repeatMinutes: z.number().optional().describe('Minutes from one time to the next, where there is no cron'),
})

const started = (id: string) => respond({}, { headers: { 'X-Parse-Job-Status-Id': id } })

export const jobEndpoints: Endpoint[] = [
  {
    name: 'startJob',
    method: 'POST',
    path: '/jobs/:jobName',
    summary:
      'Start a job. Its status is the object of _JobStatus that the header X-Parse-Job-Status-Id names. Master key.',
    access: 'master',
    describedInput: z.looseObject({}).describe('The parameters of the job'),
    handle: async ({ context, input, params: { jobName = '' } }) =>
      started(await startJob(context, jobName, input as WireFields)),
  },
  {
    name: 'startNamedJob',
    method: 'POST',
    path: '/jobs',
    summary: 'The same, with the name among the parameters. Master key.',
    access: 'master',
    describedInput: z.looseObject({ jobName: z.string() }),
    async handle({ context, input }) {
      const { jobName, ...params } = input as WireFields
      return started(await startJob(context, jobName, params))
    },
  },
  {
    name: 'listSchedules',
    method: 'GET',
    path: '/cloud_code/jobs',
    summary: 'The schedules that were made here. Master key.',
    access: 'master',
    handle: ({ context }) => listSchedules(context),
  },
  {
    name: 'listJobs',
    method: 'GET',
    path: '/cloud_code/jobs/data',
    summary: 'The names of all jobs, and of those with a schedule. Master key.',
    access: 'master',
    async handle({ context }) {
      const used = (await listSchedules(context)).map(({ jobName }) => String(jobName))
      const { jobs } = context.registry
      for (const [name, { schedule }] of jobs) if (schedule !== undefined) used.push(name)
      return { in_use: [...new Set(used)].sort(), jobs: [...jobs.keys()].sort() }
    },
  },
  {
    name: 'createSchedule',
    method: 'POST',
    path: '/cloud_code/jobs',
    summary: 'Run a job by schedule. Master key.',
    access: 'master',
    status: 201,
    describedInput: schedule,
    handle: ({ context, caller, input }) => createSchedule(context, caller, input as WireFields),
  },
  {
    name: 'updateSchedule',
    method: 'PUT',
    path: '/cloud_code/jobs/:objectId',
    summary: 'Change a schedule. Master key.',
    access: 'master',
    describedInput: schedule.partial(),
    handle: ({ context, caller, input, params: { objectId = '' } }) =>
      updateSchedule(context, caller, objectId, input as WireFields),
  },
  {
    name: 'deleteSchedule',
    method: 'DELETE',
    path: '/cloud_code/jobs/:objectId',
    summary: 'Delete a schedule. Master key.',
    access: 'master',
    handle: ({ context, caller, params: { objectId = '' } }) => deleteSchedule(context, caller, objectId),
  },
]
