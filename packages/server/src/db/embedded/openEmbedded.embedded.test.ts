import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seedFolder } from '../../testing/seedFolder.ts'
import type { Database } from '../Database.ts'
import { DatabaseUnavailable } from '../databaseErrors.ts'
import { openDatabase } from '../openDatabase.ts'
import { checkDurability } from './checkDurability.ts'
import { createDurableFs } from './createDurableFs.ts'
import { FolderInUse } from './FolderInUse.ts'
import { startParams } from './startParams.ts'

let folder: string
let opened: Database[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'))
})

afterEach(async () => {
  await Promise.all(opened.map((db) => db.close()))
  opened = []
  await rm(folder, { recursive: true, force: true })
})

const open = async (dataFolder = folder) => {
  const db = await openDatabase({ dataFolder })
  opened.push(db)
  return db
}

const { fdatasyncSync } = fs

/** Stands between the server and the operating system: sees each fdatasync with the file that it is for. */
const interceptSync = (see: (file: string) => void) => {
  fs.fdatasyncSync = (descriptor) => {
    see(fs.readlinkSync(`/proc/self/fd/${descriptor}`))
    fdatasyncSync(descriptor)
  }
  syncBuiltinESMExports()
}

afterEach(() => {
  fs.fdatasyncSync = fdatasyncSync
  syncBuiltinESMExports()
})

const count = async (db: Database) =>
  (await db.query<{ count: number }>({ text: 'select count(*) from entries' }))[0]?.count

describe.runIf(process.platform === 'linux')('durability', () => {
  test('a commit is acknowledged once its log is on the disk', async () => {
    await seedFolder(folder)
    const db = await open()
    await db.query({ text: 'create table entries (id int primary key)' })
    let synced: string[] = []
    interceptSync((file) => synced.push(file))
    const log = join(fs.realpathSync(folder), 'database', 'pg_wal')

    for (let id = 0; id < 10; id++) {
      synced = []
      await db.query({ name: 'add', text: 'insert into entries values ($1)', values: [id] })
      expect(synced.some((file) => file.startsWith(log))).toBe(true)
    }
    synced = []
    await db.transaction(async () => {
      await db.query({ text: 'insert into entries values (10)' })
      await db.query({ text: 'insert into entries values (11)' })
    })
    expect(synced.some((file) => file.startsWith(log))).toBe(true)
    synced = []
    await db.query({ text: 'select * from entries' })
    expect(synced).toEqual([])
  })

  test('a commit that the disk refused is not acknowledged, nor anything after it', async () => {
    await seedFolder(folder)
    const db = await open()
    await db.query({ text: 'create table entries (id int primary key)' })
    await db.query({ text: 'insert into entries values (1)' })
    interceptSync((file) => {
      if (file.includes('pg_wal')) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
    })
    await expect(db.query({ text: 'insert into entries values (2)' })).rejects.toThrow(DatabaseUnavailable)
    interceptSync(() => {})
    await expect(db.query({ text: 'insert into entries values (3)' })).rejects.toThrow('stopped itself')
    await expect(db.query({ text: 'select 1' })).rejects.toThrow(DatabaseUnavailable)
    expect(db.listening()).toBe(false)
    await db.close()
    const again = await open()
    const ids = (await again.query<{ id: number }>({ text: 'select id from entries order by id' })).map(({ id }) => id)
    expect(ids).toContain(1)
    expect(ids).not.toContain(3)
  })

  test('a database that would not sync is refused', async () => {
    await seedFolder(folder)
    const plain = await PGlite.create({ fs: new NodeFS(join(folder, 'database')) })
    await expect(checkDurability(plain, () => 0)).rejects.toThrow('fsync is off')
    await plain.close()

    const unhooked = await PGlite.create({ fs: new NodeFS(join(folder, 'database')), startParams })
    await expect(checkDurability(unhooked, () => 0)).rejects.toThrow('did not reach fsync')
    await unhooked.close()

    const { fs: durable, syncs } = createDurableFs(join(folder, 'database'))
    const hooked = await PGlite.create({ fs: durable, startParams })
    await checkDurability(hooked, syncs)
    await hooked.close()
  })
})

describe('the folder', () => {
  test('is refused to a second one while the first has it, and free afterwards', async () => {
    await seedFolder(folder)
    const first = await open()
    await first.query({ text: 'create table entries (id int)' })
    const second = open()
    await expect(second).rejects.toThrow(FolderInUse)
    await expect(second).rejects.toThrow(`The data folder ${folder} is in use by process ${process.pid} on `)
    expect(await count(first)).toBe(0)
    await first.close()
    const third = await open()
    expect(await count(third)).toBe(0)
  })

  test('is made whole or not at all', async () => {
    fs.mkdirSync(join(folder, 'database.unfinished', 'base'), { recursive: true })
    fs.writeFileSync(join(folder, 'database.unfinished', 'PG_VERSION'), '18')
    const db = await open()
    expect(await db.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }])
    expect((await readdir(folder)).filter((name) => !name.startsWith('lock-'))).toEqual(['database'])
  })
})

const writer = fileURLToPath(new URL('./writeEntries.fixture.ts', import.meta.url))
const loader = import.meta.resolve('jiti/register')

const startWriter = (): ChildProcess =>
  spawn(process.execPath, ['--liftoff-only', '--no-opt', '--import', loader, writer, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

test('after kill -9 under load every acknowledged row is there', async () => {
  await seedFolder(folder)
  let acknowledged = 0
  for (let round = 0; round < 3; round++) {
    const child = startWriter()
    const exited = new Promise((resolve) => child.once('exit', resolve))
    let lines = 0
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      acknowledged = Number(line)
      if (++lines === 40 + 17 * round) child.kill('SIGKILL')
    }
    await exited
    const db = await open()
    const rows = await db.query<{ id: number }>({ text: 'select id from entries order by id' })
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1))
    await db.close()
  }
  expect(acknowledged).toBeGreaterThan(150)
}, 120_000)
