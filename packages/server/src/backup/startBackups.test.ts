import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { type Storage, startStorage } from '../testing/startStorage.ts'
import { makeDueBackup } from './startBackups.ts'

const keys = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret' }
const hour = 3_600_000
let folder: string
let storage: Storage
let server: TestServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-backups-'))
  storage = await startStorage(keys)
  server = await createTestServer()
})
afterAll(async () => {
  await server.stop()
  await storage.stop()
  await rm(folder, { recursive: true, force: true })
})

const withSettings = (backup: NonNullable<TestServer['context']['config']['backup']>) => ({
  ...server.context,
  config: { ...server.context.config, backup },
})

test('one is made when it is due, by one server of several, and the old ones go', async () => {
  const context = withSettings({ every: 24, keep: 2, folder })
  const made = await Promise.all([makeDueBackup(context), makeDueBackup(context), makeDueBackup(context)])
  expect(made.filter((name) => name !== undefined)).toHaveLength(1)
  server.clock.forward(23 * hour)
  expect(await makeDueBackup(context)).toBeUndefined()
  for (let day = 0; day < 2; day++) {
    server.clock.forward(25 * hour)
    expect(await makeDueBackup(context)).toBeDefined()
  }
  const left = (await readdir(folder)).sort()
  expect(left).toHaveLength(2)
  expect(left).not.toContain(made.find((name) => name !== undefined))
  // Compressed, and in the open: there is no passphrase.
  expect((await readFile(join(folder, left[0] as string))).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
})

test('into a bucket, encrypted; one that fails is noted and tried again', async () => {
  const s3 = { ...keys, bucket: 'safe', region: 'eu-test-1', endpoint: storage.url, prefix: 'countersign/' }
  const context = withSettings({ every: 1, keep: 1, s3, passphrase: 'long enough' })
  server.clock.forward(30 * 24 * hour)
  const wrong = withSettings({ every: 1, keep: 1, s3: { ...s3, secretAccessKey: 'another' } })
  await expect(makeDueBackup(wrong)).rejects.toThrow('403')
  server.clock.forward(1000)
  const name = await makeDueBackup(context)
  expect(storage.objects.get(`/safe/countersign/${name}`)?.toString('latin1', 0, 31)).toBe(
    'countersign backup, encrypted 1',
  )
  server.clock.forward(2 * hour)
  await makeDueBackup(context)
  expect([...storage.objects.keys()]).toHaveLength(1)
  const rows = await server.context.db.query<{ error: string | null; bytes: number | null }>(
    sql`select error, bytes from countersign.backups where place = 's3:safe' order by started`,
  )
  expect(rows.map(({ error, bytes }) => [error !== null, Number(bytes) > 0])).toEqual([
    [true, false],
    [false, true],
  ])
})
