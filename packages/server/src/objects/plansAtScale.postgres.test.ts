import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, type Fragment, sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

const rowCount = 1_000_000

type Reader = 'all' | 'some' | 'few'

let server: TestServer
const tokens = {} as { [reader in Reader]: string }

beforeAll(async () => {
  server = await createTestServer()
  const ids = {} as { [reader in Reader]: string }
  for (const name of ['all', 'some', 'few'] as const) {
    const { objectId, token } = await server.signUp(name)
    tokens[name] = token
    ids[name] = objectId
  }
  const { status, text } = await server.call(
    'POST',
    '/schemas/Score',
    {
      className: 'Score',
      fields: { level: { type: 'Number' }, points: { type: 'Number' }, player: { type: 'String' } },
      indexes: {
        points: { points: 1 },
        level: { level: 1 },
        created: { createdAt: -1 },
        updated: { updatedAt: 1 },
        levelAndTime: { level: 1, createdAt: -1 },
      },
    },
    { master: true },
  )
  expect(status, text).toBe(200)
  const { db } = server.database
  // One reader sees every row, one sees one in a hundred, one sees ten.
  await db.query(sql`
    insert into public."Score" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", level, points, player)
    select 's' || n, timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '2 s',
      array[${ids.all}, 'user' || n % 5000]
        || case when n % 100 = 1 then array[${ids.some}] else '{}' end
        || case when n % 100000 = 77 then array[${ids.few}] else '{}' end,
      '{}', n % 1000, case when n % 50 = 0 then null else (n * 7919::bigint) % 1000003 end, 'player ' || n % 977
    from generate_series(1, ${sql.raw(rowCount)}) n`)
  await db.query(sql`vacuum analyze public."Score"`)
}, 300_000)
afterAll(() => server.stop())

/** The statement of the request, as the server sends it, with the response. */
async function ask(reader: Reader, input: object): Promise<{ statement: Fragment; status: number; text: string }> {
  const statements: Fragment[] = []
  const { db } = server.context
  const { query } = db
  db.query = (given) => {
    const statement = given as Fragment
    if (/json_agg|count\(\*\)/.test(compile(statement).text)) statements.push(statement)
    return query(statement)
  }
  const parameters = { _method: 'GET', ...input }
  const { status, text } = await server.call('POST', '/classes/Score', parameters, { token: tokens[reader] })
  db.query = query
  return { statement: statements[0] as Fragment, status, text }
}

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

/** Rows that the plan of the statement touches, those that it removes included. */
async function countTouched(statement: Fragment): Promise<number> {
  const rows = await server.context.db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    sql`explain (analyze, format json) ${statement}`,
  )
  const touched = (plan: Plan): number =>
    Math.max(
      (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
      ...(plan.Plans ?? []).map(touched),
    )
  const [plan] = rows.flatMap((row) => row['QUERY PLAN'])
  if (!plan) throw new Error('The database returned no plan.')
  return touched(plan.Plan)
}

const shapes: [string, object][] = [
  ['newest', { order: '-createdAt', limit: 20 }],
  ['oldest', { order: 'createdAt', limit: 20 }],
  ['changed last', { order: '-updatedAt', limit: 20 }],
  ['changed first', { order: 'updatedAt', limit: 20 }],
  ['highest', { order: '-points', limit: 20 }],
  ['lowest', { order: 'points', limit: 20 }],
  ['highest below a bound', { order: '-points', limit: 20, where: { points: { $lt: 500_000 } } }],
  ['of one level, newest', { order: '-createdAt', limit: 20, where: { level: 77 } }],
  ['of one level, by level and time', { order: 'level,-createdAt', limit: 20, where: { level: 77 } }],
  ['of one level', { limit: 20, where: { level: 177 } }],
]

const cases = (['all', 'some', 'few'] as const).flatMap((reader) =>
  shapes.map(([title, input]): [string, Reader, object] => [
    `${title}, for a reader who sees ${reader}`,
    reader,
    input,
  ]),
)

test.each(cases)('%s: the plan for the values touches few rows', async (_title, reader, input) => {
  const { statement, status, text } = await ask(reader, input)
  expect(status, text).toBe(200)
  expect(await countTouched(statement)).toBeLessThan(25_000)
})

test.each([
  ['some', rowCount / 100],
  ['few', rowCount / 100_000],
] as const)('a reader who sees %s counts by the index of readers', async (reader, rows) => {
  const { statement, status, text } = await ask(reader, { count: 1, limit: 0 })
  expect([status, JSON.parse(text)]).toEqual([200, { results: [], count: rows }])
  // Rows without a list and public ones are looked up, too.
  expect(await countTouched(statement)).toBeLessThan(rows + 1_000)
})

test('a page is delivered to each reader, after any number of requests of others', async () => {
  for (const [title, input] of shapes) {
    // Enough for every connection to have settled on a generic plan, by the reader for whom it is good.
    for (let time = 0; time < 20; time++) await ask('all', input)
    for (let time = 0; time < 10; time++) {
      const { status, text } = await ask('few', input)
      expect(status, `${title}: ${text}`).toBe(200)
    }
  }
})
