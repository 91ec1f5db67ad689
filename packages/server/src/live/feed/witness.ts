import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'

/** A change that was read, without its content. */
export type Witness = { id: number; xid: number; print: string }

export type Witnesses = {
  note(seen: readonly Witness[], keptFrom: number): void
  /** Forgets what was read of a history that was lost. */
  clear(): void
  /** Returns true if the database still has every witness that it should have kept. */
  hold(db: Database): Promise<boolean>
}

/**
 * Identity of a change: a number that was given out a second time differs in its transaction or in the microsecond it
 * was written. Its content is not read, which may be megabytes; a promoted standby copies it byte by byte.
 */
export const fingerprint = sql`hashtextextended(concat_ws('/', xid, extract(epoch from at), class_name,
  pg_column_size(before), pg_column_size(after)), 0)::text`

/** More than commits that wait at the same time: among so many is the one that the write-ahead log wrote last. */
const most = 1_000

/**
 * The last changes that a reader has seen, one for each transaction. A standby that took over has a prefix of the
 * primary's write-ahead log, so where all of these are, nothing that was seen before is lost.
 */
export function createWitnesses(): Witnesses {
  const byId = new Map<number, Witness>()
  let floor = 0
  return {
    note(seen, keptFrom) {
      floor = Math.max(floor, keptFrom)
      for (const witness of seen) {
        byId.delete(witness.id)
        byId.set(witness.id, witness)
      }
      for (const id of byId.keys()) {
        if (byId.size <= most) break
        byId.delete(id)
      }
    },
    clear() {
      byId.clear()
      floor = 0
    },
    async hold(db) {
      const [row] = await db.query<{ keptFrom: number; found: [id: number, print: string][] | null }>(sql`
        select kept_from::text::bigint as "keptFrom", (
          select json_agg(json_build_array(id, ${fingerprint}))
          from countersign.changes
          where id = any(${[...byId.keys()]}::bigint[])
        ) as found
        from countersign.live_state`)
      // The floor only rises: where it is lower, this is an earlier state of the database.
      if (!row || row.keptFrom < floor) return false
      const found = new Map(row.found ?? [])
      for (const { id, xid, print } of byId.values()) {
        if (xid >= row.keptFrom && found.get(id) !== print) return false
      }
      return true
    },
  }
}
