import { Connection } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { sql } from './sql.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
})
afterAll(() => database.close())
afterEach(() => vi.restoreAllMocks())

/** Connections that a named read may take. */
const connections = 2

test('a named statement asks for its columns once a connection, and reads every value as the first time', async () => {
  const asked = vi.spyOn(Connection.prototype, 'describe')
  const read = (id: number) =>
    database.db.query(sql.named('read-values')`
      select ${id}::int as id, timestamptz '2020-01-02T03:04:05Z' as at, null::text as gone, array['a', null] as list,
        '{"b":1}'::jsonb as object, 9007199254740993 as large`)
  const expected = (id: number) => [
    {
      id,
      at: new Date('2020-01-02T03:04:05Z'),
      gone: null,
      list: ['a', null],
      object: { b: 1 },
      large: '9007199254740993',
    },
  ]
  for (let id = 0; id < 10; id++) expect(await read(id)).toEqual(expected(id))
  expect(asked.mock.calls.length).toBeLessThanOrEqual(connections)
  const together = await Promise.all(Array.from({ length: 20 }, (_, id) => read(id)))
  expect(together).toEqual(Array.from({ length: 20 }, (_, id) => expected(id)))
})

test('statements without rows, with many, and that fail in between stay apart', async () => {
  const { db } = database
  await db.query(sql`create table numbers (n int primary key)`)
  const add = (n: number) => db.query(sql.named('add-number')`insert into numbers values (${n})`)
  const list = (least: number) =>
    db.query(sql.named('list-numbers')`select n from numbers where n >= ${least} order by n`)
  for (const n of [1, 2, 3]) expect(await add(n)).toEqual([])
  await expect(add(2)).rejects.toMatchObject({ code: '23505' })
  expect(await add(4)).toEqual([])
  await expect(list('x' as unknown as number)).rejects.toMatchObject({ code: '22P02' })
  expect(await list(3)).toEqual([{ n: 3 }, { n: 4 }])
  expect(await list(9)).toEqual([])
  const [failed, found] = await Promise.allSettled([list({} as number), list(4)])
  expect([failed.status, found]).toEqual(['rejected', { status: 'fulfilled', value: [{ n: 4 }] }])
})

test('a table that changes its columns changes the result of the next execution', async () => {
  const { db } = database
  await db.query(sql`create table things (id int, label int)`)
  await db.query(sql`insert into things values (1, 7)`)
  const read = () => db.query(sql.named('read-things')`select * from things`)
  for (let times = 0; times < 5; times++) expect(await read()).toEqual([{ id: 1, label: 7 }])
  await db.query(sql`alter table things alter label type text, add extra boolean default true`)
  for (let times = 0; times < 5; times++) expect(await read()).toEqual([{ id: 1, label: '7', extra: true }])
  await db.query(sql`alter table things rename label to title`)
  for (let times = 0; times < 5; times++) expect(await read()).toEqual([{ id: 1, title: '7', extra: true }])
  await db.transaction(async () => {
    expect(await read()).toEqual([{ id: 1, title: '7', extra: true }])
  })
})
