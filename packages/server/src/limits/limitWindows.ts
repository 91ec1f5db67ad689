import type { Database } from '../db/Database.ts'
import { type Fragment, sql } from '../db/sql.ts'

/** A process asks for a share of a key's limit. Times in ms. */
export type Lease = {
  key: string
  most: number
  length: number
  /** Allowed without a lease by each process. */
  free: number
  /** Time since the window of the process began. */
  age: number
  /** Allowed by the process, and not in the row yet. */
  used: number
  wanted: number
  /** Beginning of the shared window that the process has joined. */
  joined: number | undefined
}

export type Grant = {
  granted: number
  /** Left for all. */
  pool: number
  began: number
  /** Time until the shared window ends. */
  left: number
}

/** Milliseconds without a sign of life after which a process no longer counts. */
export const lifetime = 30_000

/** Rows that one turn removes. */
const mostRemoved = 10_000

/** Milliseconds by the clock of the database. Tests move it. */
const now = (shift: number) => sql`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${shift}::bigint`

/** Not those of a time that is yet to come: the clock was set back since. */
const livingProcesses = sql`countersign.limit_processes where seen
  between clock_timestamp() - ${lifetime} * interval '1 ms' and clock_timestamp() + ${lifetime} * interval '1 ms'`

/** A window that ends much later than it could was begun before the clock of the database was set back: it is over. */
const isCurrent = sql`w.ends > a.now and w.ends <= a.now + 2 * a.length`

/** Rest of the limit. Processes without a lease keep their free requests, twice: two of their windows may overlap it. */
const left = (taken: Fragment, holders: Fragment) =>
  sql`greatest(0, a.most - ${taken} - greatest(0, a.processes - ${holders}) * 2 * a.free)`

/** All of it for a process alone, the 2n-th part for one of n. */
const share = (available: Fragment) => sql`least(${available}, greatest(
  a.wanted, ceil(${available}::numeric / case a.processes when 1 then 1 else 2 * a.processes end)::bigint))`

/**
 * Leases shares in one statement, in the order of their keys: two processes never wait for each other. A shared window
 * begins with the first request that its first process counted, but not before the last one has ended: else requests
 * spread over processes and time would open several at once.
 */
export async function leaseWindows(
  db: Database,
  leases: readonly Lease[],
  known: number,
  shift: number,
): Promise<Map<string, Grant>> {
  const column = (name: keyof Lease) => leases.map((lease) => lease[name] ?? null)
  const rows = await db.query<Grant & { key: string }>(sql.named('lease-limits')`
    with present as (
      select ${now(shift)} as now, greatest(count(*), ${known}::bigint) as processes from ${livingProcesses}
    ), asked as (
      select a.*, p.now, p.processes, p.now - a.age as began from present p, unnest(
        ${column('key')}::text[], ${column('most')}::bigint[], ${column('length')}::bigint[],
        ${column('free')}::bigint[], ${column('age')}::bigint[], ${column('used')}::bigint[],
        ${column('wanted')}::bigint[], ${column('joined')}::bigint[]
      ) as a (key, most, length, free, age, used, wanted, joined)
    )
    insert into countersign.limit_windows as w (key, began, ends, kept_until, taken, holders, granted, pool)
    select a.key, a.began, a.began + a.length, a.began + 2 * a.length, a.used + s.share, 1, s.share, s.available - s.share
    from asked a, lateral (select ${left(sql`a.used`, sql`1`)} as available) l,
      lateral (select l.available, ${share(sql`l.available`)} as share) s
    order by a.key
    on conflict (key) do update set (began, ends, kept_until, taken, holders, granted, pool) = (
      select b.began, b.began + a.length, b.began + 2 * a.length, b.taken + s.share, b.holders, s.share,
        s.available - s.share
      from asked a, lateral (
        select case when w.ends <= a.now then greatest(a.began, w.ends) else a.began end as began, a.used as taken,
          1 as holders
        where not (${isCurrent})
        union all
        select w.began,
          -- A process that joins late may have allowed requests of this window in one of its own before.
          w.taken + a.used + case when a.joined is distinct from w.began and a.began > w.began then a.free else 0 end,
          w.holders + case when a.joined = w.began then 0 else 1 end
        where ${isCurrent}
      ) b, lateral (select ${left(sql`b.taken`, sql`b.holders`)} as available) l,
        lateral (select l.available, ${share(sql`l.available`)} as share) s
      where a.key = excluded.key
    )
    returning key, granted, pool, began, least(ends - began, ends - (select p.now from present p)) as left`)
  return new Map(rows.map(({ key, ...grant }) => [key, grant]))
}

/** Notes that a process is alive, removes what is over, and returns the number of processes. */
export async function noteProcess(db: Database, id: string, shift: number): Promise<number> {
  await db.query(sql.named('remove-limits')`
    with dead as (
      delete from countersign.limit_processes where id in (
        select id from countersign.limit_processes
        where seen <= clock_timestamp() - ${lifetime} * interval '1 ms' for update skip locked)
    )
    delete from countersign.limit_windows where key in (
      select key from countersign.limit_windows where kept_until < ${now(shift)}
      limit ${mostRemoved} for update skip locked)`)
  const [row] = await db.query<{ processes: number }>(sql.named('note-process')`
    with noted as (
      insert into countersign.limit_processes (id, seen) values (${id}, clock_timestamp())
      on conflict (id) do update set seen = excluded.seen
    )
    select count(*) + 1 as processes from ${livingProcesses} and id <> ${id}`)
  return row?.processes ?? 1
}

export async function forgetProcess(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from countersign.limit_processes where id = ${id}`)
}
