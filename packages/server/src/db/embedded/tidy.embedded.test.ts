import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { sql } from '../sql.ts'
import { tidy } from './openEmbedded.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
  await opened.db.query(sql`create table "Mixed Case" (id int)`)
})

afterAll(() => opened.close())

/** Statistics are published once a second at most; the test does not wait for it. */
const change = async (text: string) => {
  await opened.db.query({ text })
  await opened.db.query(sql`select pg_stat_force_next_flush()`)
}

const state = async () => {
  const [row] = await opened.db.query<{
    dead: number
    known: number
    redo: string
  }>(sql`
    select n_dead_tup as dead, reltuples::int8 as known, redo_lsn::text as redo
    from pg_stat_user_tables s
    join pg_class c on c.oid = s.relid, pg_control_checkpoint()
    where s.relname = 'Mixed Case'`)
  if (!row) throw new Error('The table has no statistics.')
  return row
}

test('dead rows are cleared away and the planner learns about new ones', async () => {
  const { db } = opened
  await change('insert into "Mixed Case" select generate_series(1, 5000)')
  await tidy(db.query, { logBytes: 1e9 })
  expect((await state()).known).toBe(5000)
  await change('delete from "Mixed Case" where id > 1000')
  expect((await state()).dead).toBe(4000)
  await tidy(db.query, { logBytes: 1e9 })
  expect(await state()).toMatchObject({ dead: 0, known: 1000 })
})

test('a checkpoint is made once enough log has gathered', async () => {
  const { db } = opened
  const before = await state()
  await change('insert into "Mixed Case" select generate_series(1, 5000)')
  await tidy(db.query, { logBytes: 1e9 })
  expect((await state()).redo).toBe(before.redo)
  await tidy(db.query, { logBytes: 10_000 })
  expect((await state()).redo).not.toBe(before.redo)
})
