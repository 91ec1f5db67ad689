import pg from 'pg'

export const objectCount = 100_000
/** Objects of one level: the rows that a query by level finds. */
export const levelSize = 20
export const levelCount = objectCount / levelSize
const gameCount = 500

/** The id of an object by its number. Ten characters, as both servers give them. */
export const objectIdOf = (/** @type {number} */ number) => `s${String(number).padStart(9, '0')}`

/** The name of the player in an object, by the object's number. */
export const playerOf = (/** @type {number} */ number) => `player ${number % 977}`

/** @type {Map<string, Promise<void>>} */
const prepared = new Map()

/**
 * Makes the classes through the schema API, then fills their tables by SQL: both servers keep a class in a table of the
 * same columns, and a hundred thousand creates by HTTP would take longer than all measurements. Once for each database.
 *
 * @param {import('../types.d.ts').Target} target
 * @param {{ send: import('../types.d.ts').Send }} tools
 */
export function prepareObjects(target, { send }) {
  const known = prepared.get(target.databaseUrl)
  if (known) return known
  const work = prepare(target, send)
  prepared.set(target.databaseUrl, work)
  return work
}

/** @param {import('../types.d.ts').Target} target @param {import('../types.d.ts').Send} send */
async function prepare({ mount, applicationId, databaseUrl }, send) {
  const headers = {
    'X-Parse-Application-Id': applicationId,
    'X-Parse-Master-Key': 'bench-master-key-never-used-elsewhere',
  }
  for (const [className, fields] of Object.entries({
    Game: { title: { type: 'String' }, released: { type: 'Date' } },
    Score: {
      player: { type: 'String' },
      points: { type: 'Number' },
      level: { type: 'Number' },
      cheated: { type: 'Boolean' },
      playedAt: { type: 'Date' },
      tags: { type: 'Array' },
      game: { type: 'Pointer', targetClass: 'Game' },
    },
  })) {
    const { status, body } = await send({
      method: 'POST',
      path: `${mount}/schemas/${className}`,
      headers,
      body: { className, fields },
    })
    if (status !== 200) throw new Error(`no class ${className}: ${body}`)
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into "Game" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", title, released)
       select 'g' || lpad(n::text, 9, '0'), now(), now(), '{*}', '{}', 'game ' || n, now() - n * interval '1 day'
       from generate_series(0, $1::int - 1) n`,
      [gameCount],
    )
    await client.query(
      `insert into "Score" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", player, points, level, cheated, "playedAt", tags, game)
       select 's' || lpad(n::text, 9, '0'), now(), now(), '{*}', '{}', 'player ' || n % 977, (n * 7919::bigint) % 1000003, n % $2::int,
              n % 10 = 0, now() - n * interval '1 minute', '["solo","ranked"]', 'g' || lpad((n % $3::int)::text, 9, '0')
       from generate_series(0, $1::int - 1) n`,
      [objectCount, levelCount, gameCount],
    )
    await client.query('create index score_level on "Score" (level)')
    await client.query('create index score_points on "Score" (points)')
    // Statistics and visibility, as a database has that was not filled a second ago.
    await client.query('vacuum analyze "Score"')
    await client.query('vacuum analyze "Game"')
  } finally {
    await client.end()
  }
}
