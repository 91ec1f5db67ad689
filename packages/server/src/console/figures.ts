import type { FigureRange, FigureRecord } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { countedMethods, signInEndpoints } from '../users/signInEndpoints.ts'

declare module '../context/Context.ts' {
  interface Services {
    figures?: Figures
  }
}

const signUps = new Set(['signUp', 'signUpInClass'])

/** Upper edges of the buckets of durations, in milliseconds; the last bucket has none. */
const edges = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]

/** Index of each number in the stored list. Append new ones, so that old rows keep their meaning. */
const place = { requests: 0, refused: 1, failed: 2, signUps: 3, durations: 4, signIns: 4 + edges.length + 1 }
const length = place.signIns + countedMethods.length

const minute = 60
const hour = 3600

export type Figures = {
  startedAt: Date
  /** Counts one request: `name` is its endpoint's, where it has one. */
  observe(name: string | undefined, status: number, ms: number): void
  /** Writes the counters; called every minute. */
  flush(): Promise<void>
  /** How many sockets are open is asked for by this from now on. */
  watchSockets(read: () => number): void
  sockets(): number
  stop(): Promise<void>
}

/**
 * Counts what the console shows over time, in plain numbers, and writes them once a minute in one statement. Several
 * servers add to the same rows.
 */
export function startFigures(context: Context): Figures {
  const { db, clock, log } = context
  let counts = new Array<number>(length).fill(0)
  let sockets = () => 0
  const add = (at: number) => {
    counts[at] = (counts[at] as number) + 1
  }

  const flush = async () => {
    const written = counts
    const open = sockets()
    if (written.every((count) => count === 0) && open === 0) return
    counts = new Array<number>(length).fill(0)
    const now = clock.ms()
    const startOf = (period: number) => new Date(Math.floor(now / 1000 / period) * period * 1000)
    await db.query(sql.named('write-figures')`
      with old as (
        delete from countersign.figures
        where (period = ${minute} and at < ${new Date(now - 49 * hour * 1000)})
          or at < ${new Date(now - 61 * 24 * hour * 1000)}
      )
      insert into countersign.figures as f (period, at, counts, sockets)
      values (${minute}, ${startOf(minute)}, ${written}::bigint[], ${open}),
        (${hour}, ${startOf(hour)}, ${written}::bigint[], ${open})
      on conflict (period, at) do update set sockets = greatest(f.sockets, excluded.sockets), counts = (
        select array_agg(coalesce(one, 0) + coalesce(other, 0) order by place)
        from unnest(f.counts, excluded.counts) with ordinality as sums (one, other, place)
      )`)
  }
  const flushQuietly = () => flush().catch((error) => log.warn({ err: error }, 'console metrics could not be saved'))
  const timer = setInterval(flushQuietly, minute * 1000)
  timer.unref()

  const figures: Figures = {
    startedAt: clock.now(),
    observe(name, status, ms) {
      add(place.requests)
      if (status >= 400) add(place.refused)
      if (status >= 500) add(place.failed)
      let bucket = 0
      while (bucket < edges.length && ms > (edges[bucket] as number)) bucket++
      add(place.durations + bucket)
      if (name === undefined || status >= 300) return
      const method = signInEndpoints.get(name)
      // The response to any sign-up has status 201.
      if (status === 201 && (method || signUps.has(name))) add(place.signUps)
      if (method) add(place.signIns + countedMethods.indexOf(method))
    },
    flush,
    watchSockets(read) {
      sockets = read
    },
    sockets: () => sockets(),
    async stop() {
      clearInterval(timer)
      await flushQuietly()
    },
  }
  context.services.figures = figures
  return figures
}

/** Rows, seconds per entry and number of entries of each range. */
const ranges: { [Range in FigureRange]: { period: number; step: number; entries: number } } = {
  hour: { period: minute, step: minute, entries: 60 },
  day: { period: minute, step: 30 * minute, entries: 48 },
  week: { period: hour, step: 3 * hour, entries: 56 },
  month: { period: hour, step: 12 * hour, entries: 60 },
}

/** Figures of a range in entries of equal length, oldest first, and of the range before. The last one is not complete. */
export async function listFigures(
  context: Context,
  range: FigureRange,
): Promise<{ step: number; series: FigureRecord[]; previous: FigureRecord[] }> {
  await context.services.figures?.flush()
  const { period, step, entries } = ranges[range]
  const end = Math.floor(context.clock.ms() / 1000 / step) * step
  const start = end - (2 * entries - 1) * step
  const rows = await context.db.query<{ at: Date; counts: string[]; sockets: number }>(sql`
    select at, counts::text[] as counts, sockets from countersign.figures
    where period = ${period} and at >= ${new Date(start * 1000)}`)
  const sums = Array.from({ length: 2 * entries }, () => ({ counts: new Array<number>(length).fill(0), sockets: 0 }))
  for (const { at, counts, sockets } of rows) {
    const sum = sums[Math.floor((at.getTime() / 1000 - start) / step)]
    if (!sum) continue
    for (const [index, count] of counts.entries()) sum.counts[index] = (sum.counts[index] ?? 0) + Number(count)
    sum.sockets = Math.max(sum.sockets, sockets)
  }
  const all = sums.map((sum, index) => describe(new Date((start + index * step) * 1000), sum))
  return { step, series: all.slice(entries), previous: all.slice(0, entries) }
}

function describe(at: Date, { counts, sockets }: { counts: number[]; sockets: number }): FigureRecord {
  const read = (index: number) => counts[index] ?? 0
  const durations = counts.slice(place.durations, place.signIns)
  const median = findPercentile(durations, 0.5)
  const p95 = findPercentile(durations, 0.95)
  const p99 = findPercentile(durations, 0.99)
  const signIns = countedMethods.flatMap((method, index) => {
    const count = read(place.signIns + index)
    return count === 0 ? [] : [[method, count] as const]
  })
  return {
    at: at.toISOString(),
    requests: read(place.requests),
    refused: read(place.refused),
    failed: read(place.failed),
    ...(median !== undefined && { median }),
    ...(p95 !== undefined && { p95 }),
    ...(p99 !== undefined && { p99 }),
    signUps: read(place.signUps),
    signIns: Object.fromEntries(signIns),
    sockets,
  }
}

/** The upper edge of the bucket that the request at this place of the row falls into. */
function findPercentile(buckets: number[], part: number): number | undefined {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  for (const [index, count] of buckets.entries()) {
    seen += count
    if (seen >= total * part) return edges[index] ?? 10_000
  }
  return 10_000
}
