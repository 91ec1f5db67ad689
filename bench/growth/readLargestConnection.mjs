import { readFileSync } from 'node:fs'

/**
 * Memory in MiB that the largest connection of the database holds for itself, without the buffers that all share.
 *
 * @param {import('pg').Client} client
 */
export async function readLargestConnection(client) {
  const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()')
  const sizes = rows.map(({ pid }) => {
    const own = /Anonymous:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))
    return Number(own?.[1]) / 1024
  })
  return Math.max(...sizes)
}
