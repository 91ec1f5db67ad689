import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../db/Database.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../testing/createWalletUser.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { decrypt, encrypt } from './encryption.ts'
import { restoreBackup } from './restoreBackup.ts'
import { listClassRows, listTables } from './tables.ts'
import { withSnapshot, writeBackup } from './writeBackup.ts'

let server: TestServer
let folder: string
let wallet: WalletUser
let session: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'))
  server = await createTestServer({ files: { store: 'disk', folder: join(folder, 'files') } })
  const { objectId, token } = await server.signUp('ada', { email: 'ada@example.org' })
  session = token
  wallet = await createWalletUser(server)
  const save = (className: string, body: object) => server.call('POST', `/classes/${className}`, body, { master: true })
  await server.call(
    'POST',
    '/schemas/Note',
    {
      fields: {
        place: { type: 'GeoPoint' },
        raw: { type: 'Bytes' },
        n: { type: 'Number' },
        readers: { type: 'Relation', targetClass: '_User' },
      },
      classLevelPermissions: { find: { requiresAuthentication: true }, get: { '*': true }, create: {} },
      indexes: { byN: { n: -1 } },
    },
    { master: true },
  )
  const file = await server.call('POST', '/files/hello.txt', 'hello there', {
    token,
    headers: { 'Content-Type': 'text/plain' },
  })
  await save('Note', {
    place: { __type: 'GeoPoint', latitude: 1.25, longitude: -7 },
    raw: { __type: 'Bytes', base64: randomBytes(50).toString('base64') },
    n: 0.1,
    text: 'a line\nand "quotes" \u{1F600} \\n',
    nothing: null,
    t: 'named as a table in statements',
    list: [1, { deep: ['x'] }],
    file: { __type: 'File', name: file.body.name },
    ACL: { [objectId]: { read: true } },
    readers: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId }] },
  })
  await server.call(
    'POST',
    '/roles',
    {
      name: 'team',
      ACL: {},
      users: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId }] },
    },
    { master: true },
  )
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const source = () => ({ db: server.context.db, config: server.context.config, keys: server.context.keys })

async function take(passphrase?: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of writeBackup({ ...source(), passphrase })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* bytesOf(content: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

/** Every row of every table, as text. */
async function contentOf(db: Database): Promise<{ [table: string]: string[] }> {
  const content: { [table: string]: string[] } = {}
  for (const { schema, name, place } of await listTables(db, await listClassRows(db))) {
    const rows = await db.query<{ row: string }>(
      sql`select row_to_json(t.*)::text as row from ${sql.id(place)}.${sql.id(name)} t order by 1`,
    )
    content[`${schema}.${name}`] = rows.map(({ row }) => row)
  }
  return content
}

/** An empty database of the other kinds: both, where there is a PostgreSQL server. */
const targets: [string, () => Promise<TestDatabase>][] = [
  [
    'embedded',
    async () => {
      const db = await openDatabase({ dataFolder: 'memory://' })
      return { db, databaseUrl: undefined, close: db.close }
    },
  ],
  ...(process.env.TEST_DATABASE === 'postgres'
    ? [['postgres', () => openTestDatabase()] as [string, () => Promise<TestDatabase>]]
    : []),
]

const configFor = (name: string) => ({
  ...server.context.config,
  dataFolder: 'memory://',
  files: { ...server.context.config.files, store: 'disk' as const, folder: join(folder, `files-${name}`) },
})

describe.each(targets)('restored into an empty %s database', (kind, open) => {
  test('under write load: all that was acknowledged before it ended is there, and everything works', async () => {
    let isOver = false
    const acknowledged: { id: string; at: number }[] = []
    const writer = async () => {
      while (!isOver) {
        const { status, body } = await server.call(
          'POST',
          '/classes/Load',
          { n: acknowledged.length },
          { master: true },
        )
        if (status === 201) acknowledged.push({ id: body.objectId as string, at: performance.now() })
      }
    }
    const writers = [writer(), writer(), writer()]
    while (acknowledged.length < 30) await new Promise((resolve) => setTimeout(resolve, 10))
    const before = performance.now()
    const backup = await take('a good passphrase').finally(() => {
      isOver = true
    })
    await Promise.all(writers)

    const target = await open()
    try {
      const restored = await restoreBackup({
        db: target.db,
        config: configFor(kind),
        bytes: bytesOf(backup),
        passphrase: 'a good passphrase',
      })
      expect(restored).toMatchObject({ files: 1, missing: [] })
      const ids = new Set(
        (await target.db.query<{ objectId: string }>(sql`select "objectId" from "Load"`)).map(
          ({ objectId }) => objectId,
        ),
      )
      const missing = acknowledged.filter(({ id, at }) => at < before && !ids.has(id))
      expect(missing).toEqual([])
      // One moment: what is there of a series of writes has no gaps that a later one does not share.
      expect(ids.size).toBeGreaterThanOrEqual(30)

      const again = await createTestServer({ files: configFor(kind).files }, { ...target, close: async () => {} })
      try {
        expect(again.appId).toBe(server.appId)
        const me = await again.call('GET', '/users/me', undefined, { token: session })
        expect(me.body.username).toBe('ada')
        expect((await again.call('POST', '/login', { username: 'ada', password: 'ada password' })).status).toBe(200)
        expect((await createWalletUser(again, wallet.account)).objectId).toBe(wallet.objectId)
        const notes = await again.call('GET', '/classes/Note', undefined, { token: session })
        const [note] = notes.body.results as { file: { url: string } }[]
        expect(note).toMatchObject({ n: 0.1, text: 'a line\nand "quotes" \u{1F600} \\n', nothing: null })
        expect(await (await fetch(note?.file.url ?? '')).text()).toBe('hello there')
        expect((await again.call('GET', '/classes/Note')).body.results).toBeUndefined()
        const created = await again.call('POST', '/classes/Load', { n: -1 }, { master: true })
        expect(created.status).toBe(201)
      } finally {
        await again.stop()
      }
    } finally {
      await target.close()
    }
  })

  test('with writes held: nothing that was acknowledged before its end is missing', async () => {
    let isOver = false
    let ended = false
    const acknowledged: string[] = []
    const writer = async () => {
      while (!isOver) {
        const { status, body } = await server.call('POST', '/classes/Held', { n: 1 }, { master: true })
        if (status === 201 && !ended) acknowledged.push(body.objectId as string)
        await server.call('PUT', `/classes/Held/${body.objectId}`, { n: 2 }, { master: true })
      }
    }
    const writers = [writer(), writer(), writer()]
    while (acknowledged.length < 10) await new Promise((resolve) => setTimeout(resolve, 10))
    const chunks: Buffer[] = []
    await withSnapshot(server.context.db, true, async (snapshot) => {
      for await (const chunk of writeBackup({ ...source(), snapshot })) chunks.push(chunk)
      ended = true
    })
    isOver = true
    await Promise.all(writers)
    const target = await open()
    try {
      await restoreBackup({ db: target.db, config: configFor(`${kind}-held`), bytes: bytesOf(Buffer.concat(chunks)) })
      const rows = await target.db.query<{ objectId: string }>(sql`select "objectId" from "Held"`)
      const ids = new Set(rows.map(({ objectId }) => objectId))
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    } finally {
      await target.close()
    }
  })

  test('every row of every table is the same', async () => {
    const target = await open()
    // Entries of the audit log are chained a moment after they are written.
    const isChained = async () =>
      (await server.context.db.query(sql`select from countersign.audit where hash is null limit 1`)).length === 0
    await vi.waitFor(async () => expect(await isChained()).toBe(true), { timeout: 50_000, interval: 100 })
    try {
      const backup = await take()
      await restoreBackup({ db: target.db, config: configFor(`${kind}-same`), bytes: bytesOf(backup, 333) })
      expect(await contentOf(target.db)).toEqual(await contentOf(server.context.db))
      // The target's own settings say which classes it distributes.
      const schemas = async (db: Database) =>
        (await listClassRows(db)).map(({ version: _, distributed: _place, ...row }) => row)
      expect(await schemas(target.db)).toEqual(await schemas(server.context.db))
    } finally {
      await target.close()
    }
  })

  test('rejects a damaged or truncated backup, or one of another passphrase, and leaves nothing', async () => {
    const plain = await take()
    const tar = gunzipSync(plain)
    const at = tar.indexOf('a line')
    expect(at).toBeGreaterThan(0)
    const changed = Buffer.from(tar)
    changed.write('A', at)
    const sealed = await take('right')
    const flipped = Buffer.from(sealed)
    flipped[sealed.length - 40] = (flipped[sealed.length - 40] ?? 0) ^ 1
    const cases: [Buffer, string | undefined, RegExp][] = [
      [gzipSync(changed), undefined, /checksum/],
      [plain.subarray(0, plain.length - 100), undefined, /incomplete/],
      [gzipSync(tar.subarray(0, tar.lastIndexOf('manifest.json'))), undefined, /incomplete/],
      [Buffer.from('nothing of the kind'), undefined, /not a backup/],
      [sealed, undefined, /is encrypted/],
      [sealed, 'wrong', /passphrase is wrong/],
      [flipped, 'right', /damaged|passphrase is wrong/],
      [sealed.subarray(0, sealed.length - 10), 'right', /damaged|incomplete|passphrase is wrong/],
    ]
    const target = await open()
    try {
      for (const [bytes, passphrase, reason] of cases) {
        await expect(
          restoreBackup({ db: target.db, config: configFor('bad'), bytes: bytesOf(bytes), passphrase }),
        ).rejects.toThrow(reason)
        const [left] = await target.db.query(sql`select to_regclass('countersign.migrations') is null as empty`)
        expect(left).toEqual({ empty: true })
      }
    } finally {
      await target.close()
    }
  })
})

test('a database that is in use is refused', async () => {
  const { db, config } = server.context
  await expect(restoreBackup({ db, config, bytes: bytesOf(await take()) })).rejects.toThrow('not empty')
})

test('encryption: any size is restored, and no piece can be left out or moved', async () => {
  const all = async (content: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of content) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  for (const size of [0, 65_536, 65_537]) {
    const content = randomBytes(size)
    const sealed = await all(encrypt(bytesOf(content), 'p'))
    expect((await all(decrypt(bytesOf(sealed, 777), 'p'))).equals(content)).toBe(true)
  }
  const sealed = await all(encrypt(bytesOf(randomBytes(200_000)), 'p'))
  const head = sealed.length - 200_000 - 4 * 16
  const piece = 65_536 + 16
  const pieces = [0, 1, 2, 3].map((index) => sealed.subarray(head + index * piece, head + (index + 1) * piece))
  for (const order of [
    [0, 2, 1, 3],
    [0, 1, 2],
    [0, 1, 3],
    [1, 0, 2, 3],
  ]) {
    const forged = Buffer.concat([sealed.subarray(0, head), ...order.map((index) => pieces[index] as Buffer)])
    await expect(all(decrypt(bytesOf(forged), 'p'))).rejects.toThrow(/damaged/)
  }
})
