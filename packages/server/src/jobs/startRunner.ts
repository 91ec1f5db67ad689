import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { createPoller } from '../work/createPoller.ts'
import { runJob } from './runJob.ts'
import { claimRun, createStatusClass, enqueueRun, jobsChannel } from './runs.ts'
import { listSchedules, readCron, readSchedule, type Schedule } from './schedules.ts'

/** Ticks that passed within this time are all made up for; of earlier ones, a whole outage of them makes one run. */
const shortDelay = 60_000

export type Runner = { stop(): Promise<void> }

/** A notification wakes the runner at once; this is for one that was lost, and for leases that ran out. */
const pollInterval = 5_000
/** Milliseconds that jobs have to end when the server stops. */
const patience = 3_000
const day = 24 * 3_600_000

/** Runs the application's jobs: requested and scheduled ones. */
export async function startRunner(context: Context): Promise<Runner> {
  const { config, db, clock, log, registry } = context
  if (!config.jobs.enabled) return { stop: async () => {} }
  const running = new Set<Promise<void>>()
  const asked = new AbortController()
  const now = new AbortController()
  const stopping = { asked: asked.signal, now: now.signal }
  const complained = new Set<string>()
  const followed = new Map<string, { version: string; until: number }>()

  const loop = createPoller({ log, name: 'jobs', turn, poll: pollInterval })
  // Dashboards list the class before the first run.
  if (registry.jobs.size > 0) await createStatusClass(context)
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
        .catch((error) =>
          log.error({ err: error, job: run.job, run: run.id }, 'the end of a job run could not be saved'),
        )
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
        if (!complained.has(name)) log.error({ err: error, schedule: name }, 'a schedule is invalid')
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
      asked.abort(new Error('The server is stopping.'))
      await unlisten()
      await loop.stop()
      const timer = setTimeout(() => now.abort(new Error('The server is stopping.')), patience)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

/**
 * Queues a run for each past tick of the schedule. The row of the schedule is locked, so that one of several servers
 * does so. Returns the time of the next tick.
 */
async function enqueueTicks(context: Context, schedule: Schedule, fromApi: boolean): Promise<Date | undefined> {
  const { db, clock } = context
  return db.transaction(async () => {
    const now = clock.now()
    const [kept] = await db.query<{ last_tick: Date }>(sql.named('lock-schedule')`
      insert into countersign.schedules (id, last_tick, seen) values (${schedule.id}, ${schedule.since ?? now}, ${now})
      on conflict (id) do update set seen = excluded.seen
      returning last_tick`)
    const last = new Date(Math.max((kept?.last_tick ?? now).getTime(), schedule.since?.getTime() ?? 0))
    const ticks = passedTicks(schedule, last, now)
    for (const tick of ticks) {
      await enqueueRun(context, {
        job: schedule.job,
        params: schedule.params,
        source: 'schedule',
        schedule: schedule.id,
        tick,
      })
    }
    const newest = ticks.at(-1)
    if (newest) {
      await db.query(
        sql`update countersign.schedules set last_tick = ${reached(newest, now)} where id = ${schedule.id}`,
      )
      if (fromApi) await noteLastRun(context, schedule.id, newest)
    }
    return schedule.timing.next(newest ? reached(newest, now) : last)
  })
}

function passedTicks({ timing }: Schedule, last: Date, now: Date): Date[] {
  const first = timing.next(last)
  if (!first || first > now) return []
  const ticks: Date[] = []
  const since = new Date(Math.max(last.getTime(), now.getTime() - shortDelay))
  for (let tick = timing.next(since); tick && tick <= now; tick = timing.next(tick)) ticks.push(tick)
  return ticks.length > 0 ? ticks : [first]
}

/** After an outage the ticks in between are over and done with. */
function reached(newest: Date, now: Date): Date {
  return new Date(Math.max(newest.getTime(), now.getTime() - shortDelay))
}

async function noteLastRun({ db }: Context, objectId: string, tick: Date): Promise<void> {
  await db.query(sql`
    update ${sql.table('_JobSchedule')} set "lastRun" = ${Math.floor(tick.getTime() / 1000)}
    where "objectId" = ${objectId}`)
  db.reportChange('_JobSchedule')
}
