import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { sql } from '../../db/sql.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { type Storage, startStorage } from '../../testing/startStorage.ts'
import { createS3Store, signRequest } from './createS3Store.ts'
import type { FileStore } from './FileStore.ts'
import { createDatabaseStore, createDiskStore } from './getStore.ts'

const keys = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret+/=' }
let database: TestDatabase
let folder: string
let storage: Storage
const s3 = (secretAccessKey = keys.secretAccessKey) =>
  createS3Store({
    ...keys,
    secretAccessKey,
    bucket: 'bucket',
    region: 'eu-test-1',
    endpoint: storage.url,
    prefix: 'in/',
  })

beforeAll(async () => {
  database = await openTestDatabase()
  await migrate(database.db, migrations)
  folder = await mkdtemp(join(tmpdir(), 'countersign-files-'))
  storage = await startStorage(keys)
})
afterAll(async () => {
  await storage.stop()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

let count = 0
const newName = async () => {
  const name = `${(++count).toString(16).padStart(32, '0')}_a file~@.bin`
  // The chunks of a file belong to its row.
  await database.db.query(
    sql`insert into countersign.files (name, type, store, created) values (${name}, 'x', 'database', now())`,
  )
  return name
}
const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex')
async function* inPieces(data: Buffer, size: number, breaks = false): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size)
  if (breaks) throw new Error('the sender went away')
}
async function readAll(store: FileStore, name: string, start: number, end: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of store.read(name, { start, end })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each<[string, () => FileStore]>([
  ['disk', () => createDiskStore(folder)],
  ['database', () => createDatabaseStore(database.db)],
  ['s3', () => s3()],
])('the store %s', (kind, create) => {
  test.each([1, 262_144, 262_145, 1_000_000])('keeps %i bytes and gives any part of them', async (size) => {
    const store = create()
    const name = await newName()
    const data = randomBytes(size)
    await store.write(name, inPieces(data, 65_536))
    expect(digest(await readAll(store, name, 0, size - 1))).toBe(digest(data))
    const [start, end] = [Math.floor(size / 3), Math.floor(size / 2)]
    expect(digest(await readAll(store, name, start, end))).toBe(digest(data.subarray(start, end + 1)))
    await store.remove(name)
    await store.remove(name)
    await expect(readAll(store, name, 0, size - 1)).rejects.toThrow()
  })

  test('an interrupted write cannot be read', async () => {
    const store = create()
    const name = await newName()
    await expect(store.write(name, inPieces(randomBytes(600_000), 65_536, true))).rejects.toThrow('went away')
    await store.remove(name)
    await expect(readAll(store, name, 0, 10)).rejects.toThrow()
    if (kind === 'disk') {
      const left = await readdir(folder, { recursive: true })
      expect(left.filter((entry) => entry.includes(name))).toEqual([])
    }
  })
})

test('P12: the store disk makes no path of anything but the name of a stored file', async () => {
  const store = createDiskStore(folder)
  for (const name of ['../../etc/passwd', `${'a'.repeat(32)}_../x`, '/etc/passwd', `${'a'.repeat(32)}_a\0b`, '']) {
    expect(() => store.read(name, { start: 0, end: 1 })).toThrow('not the name')
    await expect(store.remove(name)).rejects.toThrow('not the name')
    await expect(store.write(name, inPieces(Buffer.from('x'), 1))).rejects.toThrow('not the name')
  }
})

describe('S3', () => {
  test('a large file goes in parts, and comes together again', async () => {
    const data = randomBytes(17 * 1024 * 1024)
    const name = await newName()
    storage.calls.length = 0
    await s3().write(name, inPieces(data, 1_000_000))
    const place = `/bucket/in/${name}`
    expect(storage.calls).toEqual([
      `POST ${place}`,
      `PUT ${place} part 1`,
      `PUT ${place} part 2`,
      `PUT ${place} part 3`,
      `POST ${place}`,
    ])
    expect(digest(storage.objects.get(place) as Buffer)).toBe(digest(data))
  })

  test('an interrupted multipart upload is aborted, so that it costs nothing', async () => {
    await expect(s3().write(await newName(), inPieces(randomBytes(9 * 1024 * 1024), 1_000_000, true))).rejects.toThrow()
    expect(storage.open.size).toBe(0)
  })

  test('a storage that stumbles is asked again; one that refuses is not', async () => {
    const name = await newName()
    storage.fail(2)
    await s3().write(name, inPieces(Buffer.from('again'), 5))
    expect((await readAll(s3(), name, 0, 4)).toString()).toBe('again')
    storage.calls.length = 0
    await expect(s3('another secret').write(name, inPieces(Buffer.from('x'), 1))).rejects.toThrow(
      'The file storage responded to PUT with 403 (SignatureDoesNotMatch).',
    )
    expect(storage.calls).toHaveLength(1)
  })

  // The examples of Amazon's own documentation of Signature Version 4.
  test.each([
    [
      { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' } as Record<string, string>, body: '' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      {
        method: 'PUT',
        path: '/test%24file.text',
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        body: 'Welcome to Amazon S3.',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      { method: 'GET', path: '/?lifecycle', headers: {}, body: '' },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      { method: 'GET', path: '/?max-keys=2&prefix=J', headers: {}, body: '' },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('signs as the documentation has it: %j', async ({ method, path, headers, body }, signature) => {
    const signed = await signRequest(
      {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        region: 'us-east-1',
      },
      { method, url: new URL(`https://examplebucket.s3.amazonaws.com${path}`), headers, body: Buffer.from(body) },
      new Date('2013-05-24T00:00:00Z'),
    )
    expect(signed.get('authorization')).toContain(`Signature=${signature}`)
  })
})
