import type { Logger } from 'pino'
import type { Config } from '../../config/Config.ts'
import type { Database } from '../../db/Database.ts'
import { isLockTimeout } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { describeLayout, findLayout, listLayouts, sameLayout } from './Layout.ts'
import { addMonths, monthsAhead } from './writeTable.ts'

type Reported = { db: Database; config: Pick<Config, 'partition' | 'distribute'>; log: Logger }

type Parts = { db: Database; config: Pick<Config, 'partition'>; log: Logger; now: () => Date }

/** Upkeep of the classes that are partitioned by month: makes parts in advance and drops those that are too old. */
export async function tendParts({ db, config, log, now }: Parts): Promise<void> {
  const classes = await db.query<{ className: string }>(sql`
    select c.relname::text as "className" from pg_class c
    join pg_partitioned_table p on p.partrelid = c.oid
    join countersign.classes k on k."className" = c.relname
    where c.relnamespace = 'public'::regnamespace and pg_get_partkeydef(c.oid) = 'RANGE ("createdAt")'
    order by 1`)
  for (const { className } of classes) {
    if ((await findLayout(db, className))?.by !== 'month') continue
    const added = await db.transaction(() =>
      addMonths(
        db,
        sql.table(className),
        sql`${now()}::timestamptz`,
        sql`${now()}::timestamptz + ${`${monthsAhead} months`}::interval`,
      ),
    )
    if (added > 0) log.info({ className, parts: added }, 'parts for the coming months created')
    const setting = config.partition[className]
    if (setting?.by === 'month' && setting.keep !== undefined) await dropOld(className, setting.keep)
  }

  async function dropOld(className: string, keep: string): Promise<void> {
    // By the earlier of two clocks: one that is years ahead must not drop everything.
    const [limit] = await db.query<{ before: Date }>(sql`
      select date_trunc('month', least(${now()}::timestamptz, clock_timestamp()) - ${keep}::interval, 'UTC') as before`)
    if (!limit) return
    const old = await db.query<{ part: string; name: string }>(sql`
      select c.oid::regclass::text as part, c.relname::text as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      where i.inhparent = format('public.%I', ${className}::text)::regclass
        and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([^'']+)''')::timestamptz <= ${limit.before}
      order by 2`)
    for (const { part, name } of old) {
      try {
        const objects = await dropPart(className, part)
        if (objects !== undefined) log.info({ className, part: name, objects, keep }, 'part with old objects dropped')
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        log.info({ className, part: name }, 'part with old objects is in use and will be dropped later')
      }
    }
    await dropStray(className, limit.before)
  }

  /**
   * Drops a part at once, whatever it holds. Returns how many objects that were, by estimate. Leaves it while the class is
   * being copied into another layout: the copy would bring the objects back.
   */
  function dropPart(className: string, part: string): Promise<number | undefined> {
    return db.transaction(async () => {
      // Everybody who uses the class waits behind this lock.
      await db.query(sql`set local lock_timeout = '2s'`)
      const [size] = await db.query<{ rows: number }>(
        sql`select greatest(reltuples, 0)::float8 as rows from pg_class where oid = ${part}::regclass`,
      )
      // Keeps a copy from beginning. First, as the end of a copy does: in another order both would wait for each other.
      await db.query(sql`lock table countersign.class_moves in share mode`)
      const moves = await db.query(sql`select 1 from countersign.class_moves where class_name = ${className}`)
      if (moves.length > 0) return undefined
      await db.query(sql`alter table ${sql.table(className)} detach partition ${sql.raw(part)}`)
      await db.query(sql`drop table ${sql.raw(part)}`)
      // Objects went without an event: a client that saw them must read again instead of resuming.
      await db.query(sql`
        update countersign.live_classes set since = pg_current_xact_id() where class_name = ${className}`)
      db.reportChange(className)
      return size?.rows ?? 0
    })
  }

  /** Deletes old objects in the part for everything else, such as those with a time before all months. */
  async function dropStray(className: string, before: Date): Promise<void> {
    const [rest] = await db.query<{ part: string }>(sql`
      select c.oid::regclass::text as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = format('public.%I', ${className}::text)::regclass
        and pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'`)
    if (!rest) return
    const gone = await db.query(sql`delete from ${sql.raw(rest.part)} where "createdAt" < ${before} returning 1`)
    if (gone.length === 0) return
    db.reportChange(className)
    log.info({ className, objects: gone.length }, 'old objects deleted')
  }
}

/** Reports classes whose table is not what the configuration says. Copying a large table is the operator's decision. */
export async function reportLayouts({ db, config, log }: Reported): Promise<void> {
  for (const [className, wanted] of listLayouts(config)) {
    const present = await findLayout(db, className)
    if (!present || sameLayout(present, wanted)) continue
    const command = wanted.by === 'shards' ? 'distribute' : 'partition'
    log.warn(
      { className, present: describeLayout(present), wanted: describeLayout(wanted) },
      `the table of ${className} is not as the setting ${command} says: run countersign schema ${command} ${className}`,
    )
  }
}
