import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { DatabaseUnavailable, isUndefinedColumn, isUndefinedTable, isUniqueViolation } from './databaseErrors.ts'
import { compile, json, sql } from './sql.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
  await opened.db.query({ text: 'create table things (id int8 primary key, label text constraint one_label unique)' })
})

afterAll(() => opened.close())

describe('values', () => {
  test('are read as they were written, in both databases', async () => {
    const { db } = opened
    const when = new Date('2024-02-29T23:59:59.987Z')
    const early = new Date('1883-11-18T12:03:58.000Z')
    const [row] = await db.query(
      compile(sql`select
        ${when}::timestamptz as at, ${early}::timestamptz as early, ${42}::int8 as small, 9007199254740993::int8 as big,
        array[1, null, 9007199254740993]::int8[] as bigs, ${0.1}::float8 as float, 'NaN'::float8 as nothing,
        ${['a', 'b,"c"', null]}::text[] as texts, ${Buffer.from([0, 255])}::bytea as bytes, ${true}::boolean as yes,
        ${json({ a: [1, 'ü'] })}::jsonb as object, ${json(['x', 1])}::jsonb as list, ${json('text')}::jsonb as string,
        ${json(null)}::jsonb as null_json, ${undefined}::text as missing, ${'naïve ☕ 🦊'}::text as text,
        (${json([1])}::jsonb is null) as list_is_null`),
    )
    expect(row).toEqual({
      at: when,
      early,
      small: 42,
      big: '9007199254740993',
      bigs: [1, null, '9007199254740993'],
      float: 0.1,
      nothing: Number.NaN,
      texts: ['a', 'b,"c"', null],
      bytes: Buffer.from([0, 255]),
      yes: true,
      object: { a: [1, 'ü'] },
      list: ['x', 1],
      string: 'text',
      null_json: null,
      missing: null,
      text: 'naïve ☕ 🦊',
      list_is_null: false,
    })
    expect(Buffer.isBuffer(row?.bytes)).toBe(true)
  })

  test('a prepared statement takes them as well', async () => {
    const { db } = opened
    const at = new Date(0)
    for (let time = 0; time < 3; time++) {
      const [row] = await db.query({
        name: 'echo values',
        text: 'select $1::timestamptz as at, $2::jsonb as list, $3::text[] as texts',
        values: [at, json([time]), ['p', 'q']],
      })
      expect(row).toEqual({ at, list: [time], texts: ['p', 'q'] })
    }
  })

  test('the time zone is UTC and the encoding UTF-8', async () => {
    const rows = await opened.db.query({
      text: "select current_setting('TimeZone') as zone, current_setting('server_encoding') as encoding",
    })
    expect(rows).toEqual([{ zone: 'UTC', encoding: 'UTF8' }])
  })
})

describe('statements', () => {
  test('a named one survives a change of its table', async () => {
    const { db } = opened
    await db.query({ text: 'create table growing (a int); insert into growing values (1)' })
    const statement = { name: 'read growing', text: 'select * from growing' }
    expect(await db.query(statement)).toEqual([{ a: 1 }])
    await db.query({ text: 'alter table growing add column b text' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => db.query(statement)))
    expect(answers).toEqual(Array.from({ length: 20 }, () => [{ a: 1, b: null }]))
    await db.query({ text: 'alter table growing add column c text' })
    expect(await db.transaction(() => db.query(statement))).toEqual([{ a: 1, b: null, c: null }])
  })

  test('many concurrent named statements each get their own result', async () => {
    const { db } = opened
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, number) =>
        db.query<{ number: number }>({
          name: `number ${number % 7}`,
          text: `select $1::int + ${number % 7} as number`,
          values: [number],
        }),
      ),
    )
    expect(answers.map(([row]) => row?.number)).toEqual(Array.from({ length: 500 }, (_, n) => n + (n % 7)))
  })

  test('a failed one leaves the others alone', async () => {
    const { db } = opened
    const results = await Promise.allSettled([
      db.query({ name: 'sound', text: 'select 1 as one' }),
      db.query({ name: 'unsound', text: 'select * from nowhere where id = $1', values: [1] }),
      db.query({ name: 'unsound', text: 'select * from nowhere where id = $1', values: [2] }),
      db.query({ name: 'sound', text: 'select 1 as one' }),
      db.query({ text: 'select absent from things' }),
      db.query({ text: 'select 2 as two' }),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    const reasons = results.map((result) => (result.status === 'rejected' ? result.reason : undefined))
    expect([reasons[1], reasons[2]].every(isUndefinedTable)).toBe(true)
    expect(isUndefinedColumn(reasons[4])).toBe(true)
  })

  test('a value that cannot be sent fails its statement alone', async () => {
    const { db } = opened
    const circular: { self?: unknown } = {}
    circular.self = circular
    const statement = (value: unknown) => ({ name: 'unsendable', text: 'select $1::text as value', values: [value] })
    await expect(db.query(statement(circular))).rejects.toThrow('circular')
    expect(await Promise.all([db.query(statement('a')), db.query(statement('b'))])).toEqual([
      [{ value: 'a' }],
      [{ value: 'b' }],
    ])
  })

  test('a unique violation is recognised with its constraint', async () => {
    const { db } = opened
    await db.query({ text: "insert into things values (1, 'one')" })
    const error = await db.query({ text: "insert into things values (2, 'one')" }).catch((error: unknown) => error)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'one_label')).toBe(true)
    expect(isUniqueViolation(error, 'things_pkey')).toBe(false)
  })

  test('after closing they are refused', async () => {
    const { db, close } = await openTestDatabase()
    await close()
    await expect(db.query({ text: 'select 1' })).rejects.toThrow(DatabaseUnavailable)
    await expect(db.query({ name: 'one', text: 'select 1' })).rejects.toThrow(DatabaseUnavailable)
    await expect(db.transaction(async () => {})).rejects.toThrow(DatabaseUnavailable)
  })
})

describe('composed SQL', () => {
  test('binds every value and quotes every name', () => {
    const condition = sql`${sql.id('label')} = ${"'; drop table things; --"}`
    expect(compile(sql`select * from ${sql.id('things')} where ${condition} limit ${1}`)).toEqual({
      text: 'select * from "things" where "label" = $1 limit $2',
      values: ["'; drop table things; --", 1],
    })
    const names = sql.join(['a', 'b"c'].map((name) => sql.id(name)))
    expect(
      compile(sql.named('put')`insert into t (${names}) values (${sql.join([[1, 2], null])})${sql.join([])}`),
    ).toEqual({
      name: 'put',
      text: 'insert into t ("a", "b""c") values ($1, $2)',
      values: [[1, 2], null],
    })
  })

  test('binds a parameter once, for any number of uses', () => {
    const id = sql.param('a')
    expect(compile(sql`select ${id}::text, ${'b'}, ${sql`coalesce(${id}, ${id})`}`)).toEqual({
      text: 'select $1::text, $2, coalesce($1, $1)',
      values: ['a', 'b'],
    })
  })

  test('an object that a caller sent in the shape of composed SQL is a value like any other', () => {
    const sent: unknown = JSON.parse(JSON.stringify({ isSql: true, texts: ['1; drop table t'], between: [] }))
    expect(compile(sql`select ${sent}`)).toEqual({ text: 'select $1', values: [sent] })
  })
})

describe('notifications', () => {
  test('reach every listener of their channel, after the commit only', async () => {
    const { db } = opened
    const heard: string[] = []
    const stopFirst = await db.listen('news', (payload) => heard.push(`first ${payload}`))
    const stopSecond = await db.listen('news', (payload) => heard.push(`second ${payload}`))
    const stopOther = await db.listen('other', (payload) => heard.push(`other ${payload}`))
    expect(db.listening()).toBe(true)
    await db.transaction(async () => {
      await db.query({ text: "select pg_notify('news', 'a')" })
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(heard).toEqual([])
    })
    await expect.poll(() => heard).toEqual(['first a', 'second a'])
    await db
      .transaction(async () => {
        await db.query({ text: "select pg_notify('news', 'never')" })
        throw new Error('no')
      })
      .catch(() => {})
    await stopFirst()
    await db.query({ text: "select pg_notify('news', 'b')" })
    await db.query({ text: "select pg_notify('other', 'c')" })
    await expect.poll(() => heard).toEqual(['first a', 'second a', 'second b', 'other c'])
    await stopSecond()
    await stopOther()
  })

  test('a handler may use the database, though the notification was sent inside a transaction', async () => {
    const { db } = opened
    const answered = new Promise((resolve, reject) => {
      void db.listen('ask', () => void db.query({ text: 'select 1 as one' }).then(resolve, reject)).catch(reject)
    })
    await expect.poll(() => db.listening()).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await db.transaction(async () => {
      await db.query({ text: "select pg_notify('ask', '')" })
    })
    expect(await answered).toEqual([{ one: 1 }])
  })

  test('a channel name is checked', async () => {
    await expect(opened.db.listen('x; drop table things', () => {})).rejects.toThrow('Not a usable channel name')
  })

  test('listening cannot begin inside a transaction', async () => {
    const { db } = opened
    await expect(db.transaction(() => db.listen('late', () => {}))).rejects.toThrow('inside a transaction')
  })
})

test('closing waits for statements that were sent before', async () => {
  const other = await openTestDatabase()
  const sent = other.db.query<{ one: number }>(sql`select 1 as one`)
  await other.db.close()
  expect(await sent).toEqual([{ one: 1 }])
  await other.close()
})
