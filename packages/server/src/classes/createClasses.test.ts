import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { sql } from '../db/sql.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import type { FieldType } from './ClassSchema.ts'
import { type Classes, createClasses, withFreshClasses } from './createClasses.ts'
import { joinTableName } from './names.ts'

let database: TestDatabase
let other: TestDatabase['db']
let one: Classes
let two: Classes
beforeAll(async () => {
  database = await openTestDatabase()
  await migrate(database.db, migrations)
  // On a PostgreSQL server the second program has connections of its own.
  other = database.databaseUrl
    ? await openDatabase({ databaseUrl: database.databaseUrl, dataFolder: 'memory://' })
    : database.db
  one = await createClasses(database.db)
  two = await createClasses(other)
})
afterAll(async () => {
  await one.close()
  await two.close()
  if (other !== database.db) await other.close()
  await database.close()
})

const text: FieldType = { type: 'String' }
const number: FieldType = { type: 'Number' }
const fields = (...wanted: [string, FieldType][]) => new Map(wanted)

async function tables(pattern: string): Promise<string[]> {
  const rows = await database.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename like ${pattern} order by 1`,
  )
  return rows.map((row) => row.name)
}

async function until(check: () => boolean): Promise<void> {
  for (let tries = 0; !check(); tries++) {
    if (tries > 500) throw new Error('not within 5 s')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('100 first writes at once from two servers: no error, one table, every column once', async () => {
  const writes = Array.from({ length: 100 }, (_, i) =>
    (i % 2 ? one : two).widen('First', fields(['shared', text], [`own${i % 10}`, number]), {
      relations: new Map([['friends', '_User']]),
      create: true,
    }),
  )
  const schemas = await Promise.all(writes)
  expect(await tables('%First')).toEqual(['First', '_Join:friends:First'])
  for (const schema of schemas) expect(schema.fields.get('shared')).toEqual(text)
  await until(() => one.find('First')?.fields.size === 11 && two.find('First')?.fields.size === 11)
  expect(two.find('First')?.relations).toEqual(new Map([['friends', '_User']]))
  expect(one.find('First')?.version).toBe(two.find('First')?.version)
  const columns = await database.db.query(
    sql`select column_name from information_schema.columns where table_name = 'First'`,
  )
  expect(columns).toHaveLength(6 + 11)
})

test('a class that may not be made is refused with 119, a bad name with 107, and nothing is left behind', async () => {
  await expect(one.widen('Closed', fields(['a', text]))).rejects.toMatchObject({
    code: 119,
    message: 'This user is not allowed to access non-existent class: Closed',
  })
  const names = ['_Secret', '_Join:users:_Role', 'a-b', '1a', '', 'x"; drop table "_User', '__proto__', 'constructor']
  for (const name of [...names, 'a'.repeat(64)]) {
    await expect(one.widen(name, fields(), { create: true })).rejects.toMatchObject({ code: 107 })
  }
  expect(await tables('Closed')).toEqual([])
  expect(one.find('Closed')).toBeUndefined()
})

test('types are kept: another type, a relation over a field, a field over a relation, a second place', async () => {
  await one.widen('Typed', fields(['n', number], ['at', { type: 'GeoPoint' }]), {
    relations: new Map([['r', '_User']]),
    create: true,
  })
  const refused: [ReadonlyMap<string, FieldType>, Map<string, string>, RegExp][] = [
    [fields(['n', text]), new Map(), /^schema mismatch for Typed.n; expected Number but got String$/],
    [fields(['r', text]), new Map(), /expected Relation<_User> but got String/],
    [fields(), new Map([['n', '_User']]), /expected Number but got Relation<_User>/],
    [fields(), new Map([['r', '_Role']]), /expected Relation<_User> but got Relation<_Role>/],
    [fields(['other', { type: 'GeoPoint' }]), new Map(), /only one GeoPoint field/],
  ]
  for (const [wanted, relations, message] of refused) {
    const widening = one.widen('Typed', wanted, { relations })
    await expect(widening).rejects.toMatchObject({ code: 111, message: expect.stringMatching(message) })
  }
})

test('P3: a class named like a table of the catalog, or like an index of another class, is a separate class', async () => {
  for (const name of ['pg_class', 'Game', 'Game_pkey', 'Game_rperm', 'users', 'information_schema', 'select']) {
    const schema = await one.widen(name, fields(['a', text]), { create: true })
    expect(schema.fields.get('a')).toEqual(text)
  }
  expect(await tables('pg_class')).toEqual(['pg_class'])
})

test('names as long as they may be share no table and no index', async () => {
  const long = 'L'.repeat(63)
  const field = (last: string) => `${'f'.repeat(62)}${last}`
  await one.widen(long, fields(['a', text]), {
    relations: new Map([
      [field('a'), '_User'],
      [field('b'), '_User'],
    ]),
    create: true,
  })
  await one.widen(`${'L'.repeat(62)}M`, fields(['a', text]), { create: true })
  const names = [joinTableName(long, field('a')), joinTableName(long, field('b'))]
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name.length).toBeLessThanOrEqual(63)
  expect((await tables('%')).filter((name) => names.includes(name))).toHaveLength(2)
})

test('columns that every table has of itself are refused, not a failure of the database', async () => {
  await one.widen('Plain', fields(), { create: true })
  await expect(one.widen('Plain', fields(['objectId', text]))).rejects.toMatchObject({ code: 105 })
  await expect(one.widen('Plain', fields(['ACL', text]))).rejects.toMatchObject({ code: 105 })
})

test('a rolled-back change is not cached, and its version is not reused', async () => {
  const failing = database.db.transaction(async () => {
    const widened = await one.widen('Undone', fields(['lost', text]), { create: true })
    expect(widened.fields.has('lost')).toBe(true)
    expect((await one.widen('Undone', fields(['lost', text]), { create: true })).version).toBe(widened.version)
    throw Object.assign(new Error('taken back'), { version: widened.version })
  })
  const { version } = await failing.then(
    () => ({ version: 0 }),
    (error: { version: number }) => error,
  )
  expect(one.find('Undone')).toBeUndefined()
  const again = await one.widen('Undone', fields(['kept', number]), { create: true })
  expect([...again.fields.keys()]).toEqual(['kept'])
  expect(again.version).toBeGreaterThan(version)
})

test('after a column is dropped externally the classes are read again and the work is retried', async () => {
  await one.widen('Stale', fields(['a', text], ['b', text]), { create: true })
  await database.db.query(sql`alter table public."Stale" drop column b`)
  await database.db.query(sql`
    update countersign.classes set fields = '[["a",{"type":"String"}]]', version = nextval('countersign.class_versions')
    where "className" = 'Stale'`)
  const asked: string[][] = []
  const rows = await withFreshClasses(one, () => {
    const names = [...one.get('Stale').fields.keys()]
    asked.push(names)
    return database.db.query(sql`select ${sql.raw(names.map((name) => `"${name}"`).join(', '))} from public."Stale"`)
  })
  expect(rows).toEqual([])
  expect(asked).toEqual([['a', 'b'], ['a']])
})

test('501 fields are too many', async () => {
  const many = Array.from({ length: 501 }, (_, i): [string, FieldType] => [`f${i}`, number])
  await expect(one.widen('Wide', fields(...many), { create: true })).rejects.toMatchObject({ code: 140 })
  expect(await tables('Wide')).toEqual([])
})
