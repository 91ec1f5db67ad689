import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
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
import { sql } from '../sql.ts'
import { createDurableFs } from './createDurableFs.ts'
import { FolderInUse } from './lockFolder.ts'
import { checkDurability, startParams } from './openEmbedded.ts'

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

const count = async (db: Database) => (await db.query<{ count: number }>(sql`select count(*) from entries`))[0]?.count

describe.runIf(process.platform === 'linux')('durability', () => {
  test('a commit is acknowledged once its log is on the disk', async () => {
    await seedFolder(folder)
    const db = await open()
    await db.query(sql`create table entries (id int primary key)`)
    let synced: string[] = []
    interceptSync((file) => synced.push(file))
    const log = join(fs.realpathSync(folder), 'database', 'pg_wal')

    for (let id = 0; id < 10; id++) {
      synced = []
      await db.query(sql.named('add')`insert into entries values (${id})`)
      expect(synced.some((file) => file.startsWith(log))).toBe(true)
    }
    synced = []
    await db.transaction(async () => {
      await db.query(sql`insert into entries values (10)`)
      await db.query(sql`insert into entries values (11)`)
    })
    expect(synced.some((file) => file.startsWith(log))).toBe(true)
    synced = []
    await db.query(sql`select * from entries`)
    expect(synced).toEqual([])
  })

  test('a commit that the disk refused is not acknowledged, nor anything after it', async () => {
    await seedFolder(folder)
    const db = await open()
    await db.query(sql`create table entries (id int primary key)`)
    await db.query(sql`insert into entries values (1)`)
    interceptSync((file) => {
      if (file.includes('pg_wal')) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
    })
    await expect(db.query(sql`insert into entries values (2)`)).rejects.toThrow(DatabaseUnavailable)
    interceptSync(() => {})
    await expect(db.query(sql`insert into entries values (3)`)).rejects.toThrow('database stopped')
    await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
    expect(db.listening()).toBe(false)
    await db.close()
    const again = await open()
    expect(await ids(again)).toContain(1)
    expect(await ids(again)).not.toContain(3)
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

/** A separate disk that can be full. Requires the right to mount, which CI and containers have. */
const mountSmallDisk = (path: string): boolean => {
  fs.mkdirSync(path)
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'tmpfs', path]).status === 0
}

const fillDisk = (path: string) => {
  const file = fs.openSync(path, 'w')
  try {
    for (const size of [1024 * 1024, 4096]) {
      try {
        for (;;) fs.writeSync(file, Buffer.alloc(size))
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
      }
    }
  } finally {
    fs.closeSync(file)
  }
}

const ids = async (db: Database) =>
  (await db.query<{ id: number }>(sql`select id from entries order by id`)).map(({ id }) => id)
const openFiles = () => fs.readdirSync('/proc/self/fd').length

describe.runIf(process.platform === 'linux')(
  'SEC-18: a database that the disk stopped is opened again automatically',
  () => {
    test('after a full disk, with all that was acknowledged', async ({ skip }) => {
      const disk = join(folder, 'disk')
      if (!mountSmallDisk(disk)) skip('no file system can be mounted here')
      try {
        await seedFolder(disk)
        const db = await open(disk)
        await db.query(sql`create table entries (id int primary key)`)
        const heard: string[] = []
        let missed = 0
        await db.listen(
          'news',
          (payload) => heard.push(payload),
          () => missed++,
        )
        const acknowledged: number[] = []
        const add = async (id: number) => {
          // Enough of the log that the next part of it must be made soon.
          const text = `insert into entries select $1::int from pg_logical_emit_message(true, 'test', repeat(md5($1::int::text), 20000))`
          await db.query({ name: 'add', text, values: [id] })
          acknowledged.push(id)
        }
        for (let id = 0; id < 5; id++) await add(id)
        const files = openFiles()
        for (let round = 1; round <= 2; round++) {
          fillDisk(join(disk, 'filling'))
          const fill = async () => {
            for (let id = round * 1000; id < round * 1000 + 500; id++) await add(id)
          }
          await expect(fill()).rejects.toThrow(DatabaseUnavailable)
          expect(acknowledged.at(-1)).toBeLessThan(round * 1000 + 499)
          await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable)
          await expect(db.transaction(() => db.query(sql`select 1`))).rejects.toThrow(DatabaseUnavailable)
          fs.rmSync(join(disk, 'filling'))
          await expect
            .poll(
              () =>
                db.query(sql`select 1`).then(
                  () => true,
                  () => false,
                ),
              slow,
            )
            .toBe(true)
          expect(db.listening()).toBe(true)
          expect(missed).toBe(round)
          expect(await ids(db)).toEqual(expect.arrayContaining(acknowledged))
          await db.transaction(() => add(round * 1000 + 999))
          await db.query(sql`select pg_notify('news', ${String(round)})`)
          await expect.poll(() => heard.at(-1)).toBe(String(round))
        }
        expect(openFiles()).toBeLessThan(files + 60)
        await db.close()
        const again = await open(disk)
        expect(await ids(again)).toEqual(expect.arrayContaining(acknowledged))
        await again.close()
      } finally {
        spawnSync('umount', ['-l', disk])
      }
    }, 120_000)

    test('after a log that could not be written, and not before the disk takes it', async () => {
      await seedFolder(folder)
      const db = await open()
      await db.query(sql`create table entries (id int primary key)`)
      await db.query(sql`insert into entries values (1)`)
      interceptSync((file) => {
        if (file.includes('pg_wal')) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
      })
      await expect(db.query(sql`insert into entries values (2)`)).rejects.toThrow(DatabaseUnavailable)
      // Longer than the first try takes to come.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await expect(db.query(sql`select 1`)).rejects.toThrow('database stopped')
      interceptSync(() => {})
      await expect
        .poll(
          () =>
            db.query(sql`insert into entries values (3)`).then(
              () => true,
              () => false,
            ),
          slow,
        )
        .toBe(true)
      expect(await ids(db)).toEqual(expect.arrayContaining([1, 3]))
    }, 60_000)
  },
)

const slow = { timeout: 40_000, interval: 100 }

describe('the folder', () => {
  test('is refused to a second one while the first has it, and free afterwards', async () => {
    await seedFolder(folder)
    const first = await open()
    await first.query(sql`create table entries (id int)`)
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
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
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
    const rows = await db.query<{ id: number }>(sql`select id from entries order by id`)
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1))
    await db.close()
  }
  expect(acknowledged).toBeGreaterThan(150)
}, 120_000)
