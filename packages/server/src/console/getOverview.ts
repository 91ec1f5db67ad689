import type { FigureRange, OverviewRecord } from '@countersign/protocol'
import { listIndexStatus } from '../chain/index/listIndexStatus.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { version } from '../version.ts'
import { listFigures } from './figures.ts'
import { countFailedSignIns } from './signIns.ts'

const day = 24 * 3_600_000

type Totals = {
  users: number
  newToday: number
  activeToday: number
  activeMonth: number
  sessions: number
  waiting: number
  size: number
}

/** Current and recent activity of the server, for the first screen of the console. */
async function getOverview(context: Context, range: FigureRange): Promise<OverviewRecord> {
  const { db, clock, services } = context
  const now = clock.now()
  const since = (ms: number) => new Date(now.getTime() - ms)
  const [[totals], jobs, chains, { step, series, previous }, failedSignInsToday] = await Promise.all([
    db.query<Totals>(sql`
      select
        (select count(*) from "_User")::float8 as users,
        (select count(*) from "_User" where "createdAt" > ${since(day)})::float8 as "newToday",
        (select count(distinct "user") from "_Session" where "lastUsedAt" > ${since(day)})::float8 as "activeToday",
        (
          select count(distinct "user") from "_Session" where "lastUsedAt" > ${since(30 * day)}
        )::float8 as "activeMonth",
        (select count(*) from "_Session" where "expiresAt" > ${now})::float8 as sessions,
        (select count(*) from countersign.job_runs)::float8 as waiting,
        pg_database_size(current_database())::float8 as size`),
    countJobs(context, since(day)),
    listIndexStatus(context),
    listFigures(context, range),
    countFailedSignIns(context, since(day)),
  ])
  if (!totals) throw new Error('the database counted nothing')
  const { users: total, newToday, activeToday, activeMonth, sessions, waiting, size } = totals
  return {
    at: now.toISOString(),
    range,
    step,
    users: { total, newToday, activeToday, activeMonth },
    sessions,
    failedSignInsToday,
    sockets: services.figures?.sockets() ?? 0,
    jobs: { waiting, ...jobs },
    database: { kind: db.kind, size },
    server: {
      version,
      node: process.version,
      startedAt: (services.figures?.startedAt ?? now).toISOString(),
    },
    chains: chains.map(({ chain, block, head, status, blockTime, error }) => ({
      chain,
      block,
      head,
      lag: Math.max(0, Math.round((now.getTime() - blockTime.getTime()) / 1000)),
      status,
      ...(error !== undefined && { error: error.slice(0, 300) }),
    })),
    series,
    previous,
  }
}

async function countJobs({ db, classes }: Context, since: Date): Promise<{ failedToday: number; doneToday: number }> {
  // The class is made with the first job.
  if (!classes.find('_JobStatus')?.fields.has('finishedAt')) return { failedToday: 0, doneToday: 0 }
  const [jobs] = await db.query<{ failedToday: number; doneToday: number }>(sql`
    select count(*) filter (where status = 'failed')::float8 as "failedToday",
      count(*) filter (where status = 'succeeded')::float8 as "doneToday"
    from ${sql.table('_JobStatus')}
    where "finishedAt" > ${since}`)
  return jobs ?? { failedToday: 0, doneToday: 0 }
}

export const getOverviewEndpoint = defineEndpoint('getOverview', {
  handle: ({ context, input: { range = 'day' } }) => getOverview(context, range),
})
