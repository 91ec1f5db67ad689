import type { Database } from '../../db/Database.ts'

/**
 * A log that came with a restored database, or with a standby that took over, is of another history: its transactions
 * would pass for ones that are yet to come. It is emptied, and nobody can go on from an earlier place.
 */
export async function adoptLog(db: Database): Promise<void> {
  await db.transaction(async () => {
    const [changed] = await db.query({
      text: `update countersign.live_state set incarnation = countersign.incarnation(),
               kept_from = pg_snapshot_xmin(pg_current_snapshot())
             where incarnation <> countersign.incarnation() or kept_from > pg_snapshot_xmax(pg_current_snapshot())
             returning incarnation`,
    })
    if (!changed) return
    await db.query({ text: 'delete from countersign.changes' })
    await db.query({ text: 'delete from countersign.live_marks' })
    await db.query({ text: 'update countersign.live_classes set since = pg_current_xact_id()' })
  })
}
