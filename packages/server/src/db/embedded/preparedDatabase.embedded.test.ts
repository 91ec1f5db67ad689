import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seedFolder } from '../../testing/seedFolder.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations.ts'
import { openDatabase } from '../openDatabase.ts'
import { sql } from '../sql.ts'
import { packDatabase, preparedName, unpackPrepared } from './preparedDatabase.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a database that was packed is a database again, with every migration and durable', async () => {
  const source = join(folder, 'source')
  await seedFolder(source)
  const packed = join(folder, 'packed.tar.br')
  await packDatabase(join(source, 'database'), packed)
  expect((await readFile(packed)).length).toBeLessThan(3_000_000)

  const target = join(folder, 'target')
  expect(await unpackPrepared(join(target, 'database'), packed)).toBe(true)
  const db = await openDatabase({ dataFolder: target })
  await migrate(db, migrations)
  const applied = await db.query<{ name: string }>(sql`select name from countersign.migrations order by position`)
  expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
  await db.close()
}, 120_000)

test('without one, or with one that was cut off, nothing is left in the place, and the start makes a database itself', async () => {
  const target = join(folder, 'database')
  expect(await unpackPrepared(target, join(folder, 'missing.tar.br'))).toBe(false)
  await writeFile(join(folder, 'broken.tar.br'), Buffer.alloc(100, 7))
  expect(await unpackPrepared(target, join(folder, 'broken.tar.br'))).toBe(false)
  expect(existsSync(target)).toBe(false)
})

test('its name follows from the migrations: that of another version is not found', () => {
  expect(preparedName()).toBe(preparedName(migrations))
  expect(preparedName()).not.toBe(preparedName(migrations.slice(1)))
  expect(preparedName()).not.toBe(preparedName(migrations.map((each) => ({ ...each, sql: `${each.sql} ` }))))
})
