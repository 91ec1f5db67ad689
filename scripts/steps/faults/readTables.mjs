import { queryPostgres } from '../servers/queryPostgres.mjs'

/** Tables whose rows come and go, by the name that a reader knows. */
const tables = {
  'change log': 'countersign.changes',
  sessions: 'public."_Session"',
  challenges: 'countersign.challenges',
  'request ids': 'countersign.requests',
  objects: 'public."Drill"',
}

/**
 * @typedef {{ name: string, rows: number, dead: number, kilobytes: number, vacuums: number }} TableState
 */

/** Rows, dead rows and size of each of them. @param {string} url @returns {Promise<TableState[]>} */
export async function readTables(url) {
  const rows = []
  for (const [name, table] of Object.entries(tables)) {
    const text = await queryPostgres(
      url,
      `select (select count(*) from ${table}), n_dead_tup, pg_total_relation_size(relid) / 1024, autovacuum_count
       from pg_stat_user_tables where relid = '${table}'::regclass`,
    )
    const [live = 0, dead = 0, kilobytes = 0, vacuums = 0] = text.split('|').map(Number)
    rows.push({ name, rows: live, dead, kilobytes, vacuums })
  }
  return rows
}
