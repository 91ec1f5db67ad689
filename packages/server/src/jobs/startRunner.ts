import type { Context } from '../context/Context.ts'
import { createLoop } from '../context/createLoop.ts'
import { claimRun } from './claimRun.ts'
import { jobsChannel } from './enqueueRun.ts'
import { enqueueTicks } from './enqueueTicks.ts'
import { listSchedules } from './listSchedules.ts'
import { readSchedule, type Schedule } from './readSchedule.ts'
import { readCron } from './readTiming.ts'
import { runJob } from './runJob.ts'

export type Runner = { stop(): Promise<void> }

/** A notification wakes the runner at once; this is for one that was lost, and for leases that ran out. */
const pollInterval = 5_000
/** Milliseconds that jobs have to end when the server stops. */
const patience = 3_000
const day = 24 * 3_600_000

/** Runs the application's jobs: those that were asked for, and those that are due by schedule. */
export async function startRunner(context: Context): Promise<Runner> {
  const { config, db, clock, log, registry } = context
  if (!config.jobs.enabled) return { stop: async () => {} }
  const running = new Set<Promise<void>>()
  const asked = new AbortController()
  const now = new AbortController()
  const stopping = { asked: asked.signal, now: now.signal }
  const complained = new Set<string>()
  const followed = new Map<string, { version: string; until: number }>()

  const loop = createLoop({ log, name: 'jobs', turn, poll: pollInterval })
  const unlisten = await db.listen(jobsChannel, loop.wake, loop.wake)

  async function turn(): Promise<void> {
    if (registry.jobs.size === 0) return
    for (const schedule of await collect()) await follow(schedule)
    while (running.size < config.jobs.concurrency && !asked.signal.aborted && context.classes.find('_JobStatus')) {
      const run = await claimRun(context, [...registry.jobs.keys()])
      const job = run && registry.jobs.get(run.job)
      if (!job) return
      const done = runJob(context, job, run, stopping)
        .then((delay) => delay !== undefined && loop.wakeIn(delay))
        .catch((error) => log.error({ err: error, job: run.job, run: run.id }, 'the end of a run was not written down'))
        .then(() => {
          running.delete(done)
          loop.wake()
        })
      running.add(done)
    }
  }

  /** The database is asked when a tick has passed, when the schedule changed, and once a day. */
  async function follow(schedule: Schedule): Promise<void> {
    const known = followed.get(schedule.id)
    const at = clock.now().getTime()
    if (known && known.version === schedule.version && at < known.until) return loop.wakeIn(known.until - at)
    const next = await enqueueTicks(context, schedule, !schedule.id.startsWith('code '))
    const until = Math.min(next?.getTime() ?? Number.POSITIVE_INFINITY, at + day)
    followed.set(schedule.id, { version: schedule.version, until })
    loop.wakeIn(until - at)
  }

  async function collect(): Promise<Schedule[]> {
    const schedules: Schedule[] = []
    const add = (name: string, read: () => Schedule) => {
      try {
        schedules.push(read())
      } catch (error) {
        if (!complained.has(name)) log.error({ err: error, schedule: name }, 'a schedule cannot be followed')
        complained.add(name)
      }
    }
    for (const [job, { schedule, timeZone }] of registry.jobs) {
      if (schedule === undefined) continue
      // By the job's name: where two versions of the code disagree, a tick that both have is still one.
      const version = `${schedule} ${timeZone}`
      add(job, () => ({ id: `code ${job}`, version, job, params: {}, timing: readCron(schedule, timeZone) }))
    }
    for (const schedule of await listSchedules(context)) {
      // Another server may have the code of a job that this one lacks.
      if (!registry.jobs.has(String(schedule.jobName))) continue
      add(`${schedule.objectId} ${schedule.updatedAt}`, () => readSchedule(context, schedule))
    }
    return schedules
  }

  return {
    async stop() {
      asked.abort(new Error('The server stops.'))
      await unlisten()
      await loop.stop()
      const timer = setTimeout(() => now.abort(new Error('The server stops.')), patience)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}
