import type { Context } from '../context/Context.ts'
import { tableOf } from '../db/createBindings.ts'
import { enqueueRun } from './enqueueRun.ts'
import type { Schedule } from './readSchedule.ts'

/** Ticks that passed within this time are all made up for; of earlier ones, a whole outage of them makes one run. */
const shortDelay = 60_000

/**
 * Puts a run into the queue for each tick of the schedule that has passed. The row of the schedule is locked meanwhile,
 * so that of several servers one does so. Answers when the next tick is.
 */
export async function enqueueTicks(context: Context, schedule: Schedule, fromApi: boolean): Promise<Date | undefined> {
  const { db, clock } = context
  return db.transaction(async () => {
    const now = clock.now()
    const [kept] = await db.query<{ last_tick: Date }>({
      name: 'lock-schedule',
      text: `insert into countersign.schedules (id, last_tick, seen) values ($1, $2, $3)
             on conflict (id) do update set seen = excluded.seen returning last_tick`,
      values: [schedule.id, schedule.since ?? now, now],
    })
    const last = kept?.last_tick ?? now
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
      await db.query({
        text: 'update countersign.schedules set last_tick = $2 where id = $1',
        values: [schedule.id, reached(newest, now)],
      })
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
  await db.query({
    text: `update ${tableOf('_JobSchedule')} set "lastRun" = $2 where "objectId" = $1`,
    values: [objectId, Math.floor(tick.getTime() / 1000)],
  })
}
