import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

let server: TestServer
let owner: { objectId: string; token: string }

const rowCount = 100_000

beforeAll(async () => {
  server = await createTestServer()
  owner = await server.signUp('owner')
  const { status, body } = await server.call(
    'POST',
    '/schemas/Score',
    {
      className: 'Score',
      fields: {
        level: { type: 'Number' },
        points: { type: 'Number' },
        player: { type: 'String' },
        tags: { type: 'Array' },
        place: { type: 'GeoPoint' },
        story: { type: 'String' },
      },
      indexes: {
        level: { level: 1 },
        points: { points: 1 },
        player: { player: 1 },
        tags: { tags: 1 },
        place: { place: 1 },
        story: { story: 'text' },
      },
    },
    { master: true },
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  await server.database.db.query({
    text: `insert into public."Score" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", level, points, player, tags, place, story)
           select 's' || n, now(), now(), array[case when n % 10000 = 0 then $2 else 'user' || n % 5000 end], '{}', n % 5000,
                  case when n % 100 = 0 then null else (n * 7919::bigint) % 1000003 end, 'player ' || n % 977,
                  jsonb_build_array('tag' || n % 1000, 'all'), point(n % 360 - 180, n % 180 - 90), 'a story of number' || n
           from generate_series(1, $1::int) n`,
    values: [rowCount, owner.objectId],
  })
  await server.database.db.query({ text: 'vacuum analyze public."Score"' })
}, 120_000)
afterAll(() => server.stop())

/** The plan of a query in one line, as the caller's rights make it. */
async function plan(input: object, who: { token?: string }): Promise<string> {
  const texts: { text: string; values?: unknown[] }[] = []
  const { db } = server.context
  const { query } = db
  // The statement that the server itself sends, told on its way.
  db.query = (statement) => {
    if (statement.text.includes('json_agg')) texts.push(statement)
    return query(statement)
  }
  const { status, text } = await server.call('POST', '/classes/Score', { _method: 'GET', ...input }, who)
  db.query = query
  expect(status, text).toBe(200)
  const [statement] = texts
  const rows = await query<{ 'QUERY PLAN': string }>({
    text: `explain ${statement?.text}`,
    values: statement?.values ?? [],
  })
  return rows.map((row) => row['QUERY PLAN'].trim()).join('\n')
}

test.each([
  ['equality', { where: { level: 7 } }, /Score:level/],
  ['a list', { where: { level: { $in: [7, 8, 9] } } }, /Score:level/],
  ['a range', { where: { points: { $gt: 999_000 } } }, /Score:points/],
  ['a beginning', { where: { player: { $regex: '^\\Qplayer 97\\E' } } }, /Score:player/],
  ['an element of an array', { where: { tags: 'tag5' } }, /Score:tags/],
  [
    'a circle',
    { where: { place: { $nearSphere: { __type: 'GeoPoint', latitude: 1, longitude: 1 }, $maxDistance: 0.01 } } },
    /Score:place/,
  ],
  ['a word', { where: { story: { $text: { $search: { $term: 'number77' } } } } }, /Score:story/],
  ['one id', { where: { objectId: 's77' } }, /Score::pkey/],
])('%s is found by its index', async (_name, input, index) => {
  expect(await plan(input, { token: owner.token })).toMatch(index)
})

test.each([
  ['points', {}],
  ['-points', {}],
  ['-points', { where: { points: { $lt: 500_000 } } }],
  ['-points', { where: { level: { $ne: 3 } } }],
  ['player', {}],
])('a page sorted by %s %j is read from the index', async (order, more) => {
  const told = await plan({ order, limit: 20, ...more }, { token: await readerOfAll() })
  expect(told).toMatch(/Index Scan.*Score:(points|player)/)
  expect(told).not.toMatch(/Seq Scan/)
})

test('the own objects among those of others are found by their access lists', async () => {
  expect(await plan({}, { token: owner.token })).toMatch(/Score::rperm/)
})

/** A reader whom a role lets see nearly everything. */
let reader: Promise<string> | undefined
function readerOfAll(): Promise<string> {
  reader ??= (async () => {
    const { token } = await server.signUp('reader')
    const { db } = server.database
    await db.query({
      text: `update public."Score" set "_rperm" = '{*}' where "_rperm"[1] <> $1`,
      values: [owner.objectId],
    })
    await db.query({ text: 'vacuum analyze public."Score"' })
    return token
  })()
  return reader
}
