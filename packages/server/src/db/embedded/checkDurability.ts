import type { PGlite } from '@electric-sql/pglite'

const expected = { fsync: 'on', wal_sync_method: 'fsync', full_page_writes: 'on', synchronous_commit: 'on' }

/**
 * Refuses to go on where a commit would not reach the disk. It leans on the inside of PGlite, so an update could
 * undo it silently; a server that acknowledges what a power cut takes back is worse than one that does not start.
 */
export const checkDurability = async (pglite: PGlite, syncs: () => number): Promise<void> => {
  for (const [setting, value] of Object.entries(expected)) {
    const { rows } = await pglite.query<{ actual: string }>('select current_setting($1) as actual', [setting])
    if (rows[0]?.actual === value) continue
    throw new Error(`The embedded database is not durable: its setting ${setting} is ${rows[0]?.actual}, not ${value}.`)
  }
  const before = syncs()
  await pglite.exec("select pg_logical_emit_message(true, 'countersign', 'durability probe')")
  if (syncs() > before) return
  throw new Error('The embedded database is not durable: a commit did not reach fsync.')
}
