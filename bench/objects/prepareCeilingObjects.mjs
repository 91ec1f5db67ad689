import pg from 'pg'
import { levelCount, objectCount } from './prepareObjects.mjs'

/** @type {Map<string, Promise<void>>} */
const prepared = new Map()

/**
 * The same data for the bare ceiling.
 *
 * @param {import('../types.d.ts').Target} target
 */
export function prepareCeilingObjects({ databaseUrl }) {
  const known = prepared.get(databaseUrl)
  if (known) return known
  const work = prepare(databaseUrl)
  prepared.set(databaseUrl, work)
  return work
}

/** @param {string} databaseUrl */
async function prepare(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into games (id, title, released) select 'g' || n, 'game ' || n, now() - n * interval '1 day' from generate_series(0, 499) n`,
    )
    await client.query(
      `insert into scores (id, created_at, player, points, level, cheated, played_at, tags, game)
       select 's' || lpad(n::text, 9, '0'), now(), 'player ' || n % 977, (n * 7919::bigint) % 1000003, n % $2::int, n % 10 = 0,
              now() - n * interval '1 minute', '["solo","ranked"]', 'g' || n % 500
       from generate_series(0, $1::int - 1) n`,
      [objectCount, levelCount],
    )
    await client.query('create index score_level on scores (level)')
    await client.query('create index score_points on scores (points)')
    await client.query('vacuum analyze scores')
  } finally {
    await client.end()
  }
}
