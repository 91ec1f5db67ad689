import { startJob } from '../../jobs/runs.ts'
import { createSchedule, deleteSchedule, listSchedules, updateSchedule } from '../../jobs/schedules.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

const started = (id: string) => respond({}, { headers: { 'X-Parse-Job-Status-Id': id } })

export const jobEndpoints: Endpoint[] = [
  defineEndpoint('startJob', {
    handle: async ({ context, input, params }) => started(await startJob(context, params.jobName, input)),
  }),
  defineEndpoint('startNamedJob', {
    handle: async ({ context, input: { jobName, ...params } }) => started(await startJob(context, jobName, params)),
  }),
  defineEndpoint('listSchedules', { handle: ({ context }) => listSchedules(context) }),
  defineEndpoint('listJobs', {
    async handle({ context }) {
      const used = (await listSchedules(context)).map(({ jobName }) => String(jobName))
      const { jobs } = context.registry
      for (const [name, { schedule }] of jobs) if (schedule !== undefined) used.push(name)
      return { in_use: [...new Set(used)].sort(), jobs: [...jobs.keys()].sort() }
    },
  }),
  defineEndpoint('createSchedule', {
    handle: ({ context, caller, input: { job_schedule, ...schedule } }) =>
      createSchedule(context, caller, job_schedule ?? schedule),
  }),
  defineEndpoint('updateSchedule', {
    handle: ({ context, caller, params, input: { job_schedule, ...schedule } }) =>
      updateSchedule(context, caller, params.objectId, job_schedule ?? schedule),
  }),
  defineEndpoint('deleteSchedule', {
    handle: ({ context, caller, params }) => deleteSchedule(context, caller, params.objectId),
  }),
]
