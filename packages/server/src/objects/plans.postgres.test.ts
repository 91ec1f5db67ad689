import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, type Fragment, sql } from '../db/sql.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

let server: TestServer
let owner: { objectId: string; token: string }

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
  const { db } = server.database
  await db.query(sql`
    insert into public."Score"
      ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", level, points, player, tags, place, story)
    select 's' || n, now(), now(), '{*}', '{}', n % 5000,
      case when n % 100 = 0 then null else (n * 7919::bigint) % 1000003 end, 'player ' || n % 977,
      jsonb_build_array('tag' || n % 1000, 'all'), point(n % 360 - 180, n % 180 - 90), 'a story of number' || n
    from generate_series(1, 100000) n`)
  await server.call('POST', '/schemas/Note', { className: 'Note' }, { master: true })
  await db.query(sql`
    insert into public."Note" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm")
    select 'n' || n, now(), now(),
      case n % 10000 when 0 then null when 1 then array[${owner.objectId}] else array['user' || n % 5000] end, '{}'
    from generate_series(1, 50000) n`)
  await db.query(sql`vacuum analyze public."Note"`)
  await db.query(sql`vacuum analyze public."Score"`)
})
afterAll(() => server.stop())

/** The plan of a query in one line, as the caller's rights make it. */
async function plan(className: string, input: object): Promise<string> {
  const statements: Fragment[] = []
  const { db } = server.context
  const { query } = db
  // The statement that the server itself sends, caught on its way.
  db.query = (given) => {
    const statement = given as Fragment
    if (compile(statement).text.includes('json_agg')) statements.push(statement)
    return query(statement)
  }
  const { status, text } = await server.call(
    'POST',
    `/classes/${className}`,
    { _method: 'GET', ...input },
    { token: owner.token },
  )
  db.query = query
  expect(status, text).toBe(200)
  const [statement] = statements
  const rows = await query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
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
  expect(await plan('Score', input)).toMatch(index)
})

test.each([
  ['points', {}],
  ['-points', {}],
  ['-points', { where: { points: { $lt: 500_000 } } }],
  ['-points', { where: { level: { $ne: 3 } } }],
  ['player', {}],
])('a page sorted by %s %j is read from the index', async (order, more) => {
  const explained = await plan('Score', { order, limit: 20, ...more })
  expect(explained).toMatch(/Index Scan.*Score:(points|player)/)
  expect(explained).not.toMatch(/Seq Scan/)
})

test('the own objects among those of others are found by their access lists', async () => {
  expect(await plan('Note', {})).toMatch(/Note::rperm/)
})

test('public rows are not collected from access lists first, for any caller', async () => {
  const { db } = server.database
  await db.query(sql`
    insert into public."Score" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", level, points, player)
    select 'x' || n, now(), now(), array['*', 'user' || n % 24], '{}', 1000000 + n % 5000, n, 'player ' || n % 977
    from generate_series(1, 30000) n`)
  await db.query(sql`vacuum analyze public."Score"`)
  const explained = await db.transaction(async () => {
    // The plan that a prepared statement gets after some runs, made without knowledge of its values.
    await db.query(sql`set local plan_cache_mode = force_generic_plan`)
    const access = { isMaster: false, userId: 'user3', entities: ['*', 'user3'] }
    const filter = writeRowFilter(server.context.classes.get('Score'), access, { rows: 'all' }, 'read', sql`t`)
    const { text } = compile(
      sql`select count(*) from public."Score" t where t.level = ${7}::double precision and ${filter}`,
    )
    await db.query(sql`prepare by_level as ${sql.raw(text)}`)
    const rows = await db.query<{ 'QUERY PLAN': string }>(sql`explain execute by_level (7, '{user3}')`)
    await db.query(sql`deallocate by_level`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(explained).toMatch(/Score:level/)
  expect(explained).not.toMatch(/Score::rperm/)
})
