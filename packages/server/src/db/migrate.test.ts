import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { MigrationRefused, migrate } from './migrate.ts'
import { sql } from './sql.ts'

let opened: TestDatabase

beforeEach(async () => {
  opened = await openTestDatabase()
})

afterEach(() => opened.close())

const first = { name: '0001 first', sql: 'create table first (id int); insert into first values (1)' }
const second = { name: '0002 second', sql: 'insert into first values (2)' }

const rows = async () => (await opened.db.query(sql`select id from first order by id`)).map(({ id }) => id)

test('runs each migration once, in order, and only new ones later', async () => {
  const { db } = opened
  const applied: unknown[] = []
  const logger = { info: (details: object) => applied.push(details), warn: () => {}, error: () => {} }
  await migrate(db, [first], logger)
  await migrate(db, [first], logger)
  await migrate(db, [first, second], logger)
  expect(await rows()).toEqual([1, 2])
  expect(applied).toEqual([{ migration: '0001 first' }, { migration: '0002 second' }])
  const recorded = await db.query(
    sql`select name, length(checksum) as size, applied_at from countersign.migrations order by name`,
  )
  expect(recorded).toEqual([
    { name: '0001 first', size: 64, applied_at: expect.any(Date) },
    { name: '0002 second', size: 64, applied_at: expect.any(Date) },
  ])
})

test('a failing migration leaves nothing of its run behind', async () => {
  const { db } = opened
  const broken = { name: '0002 broken', sql: 'insert into first values (2); select nonsense' }
  await expect(migrate(db, [first, broken])).rejects.toThrow('nonsense')
  await migrate(db, [first])
  expect(await rows()).toEqual([1])
})

test('a changed migration is refused', async () => {
  const { db } = opened
  await migrate(db, [first])
  const changed = { ...first, sql: `${first.sql}, (9)` }
  await expect(migrate(db, [changed])).rejects.toThrow('"0001 first" was changed after it had been applied')
})

test('a database that a newer program has used is refused', async () => {
  const { db } = opened
  await migrate(db, [first, second])
  const refused = migrate(db, [first])
  await expect(refused).rejects.toThrow(MigrationRefused)
  await expect(refused).rejects.toThrow('"0002 second", which this version does not know')
})

test('a migration put before one that was applied is refused', async () => {
  const { db } = opened
  await migrate(db, [first])
  const earlier = { name: '0000 earlier', sql: 'select 1' }
  await expect(migrate(db, [earlier, first])).rejects.toThrow('"0000 earlier" comes before "0001 first"')
})

test('two migrations of one name are refused', async () => {
  await expect(migrate(opened.db, [first, { ...second, name: first.name }])).rejects.toThrow('same name')
})
