import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { exportData } from './exportData.ts'
import { importData } from './importData.ts'
import { openParseExport } from './sources/openDump.ts'

let server: TestServer
let other: TestServer
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-export-'))
  server = await createTestServer()
  other = await createTestServer()
})
afterAll(async () => {
  await server.stop()
  await other.stop()
  await rm(folder, { recursive: true, force: true })
})

test('imports an export: objects, links, permissions, files, passwords and wallets', async () => {
  const { objectId, token } = await server.signUp('ada', { email: 'ada@example.org' })
  const wallet = await createWalletUser(server)
  const master = { master: true }
  const file = await server.call('POST', '/files/a.txt', 'content', {
    token,
    headers: { 'Content-Type': 'text/plain' },
  })
  await server.call('POST', '/schemas/Post', { fields: {}, classLevelPermissions: { get: { '*': true } } }, master)
  const posts = await Promise.all(
    [0, 1, 2].map((n) =>
      server.call(
        'POST',
        '/classes/Post',
        {
          n,
          at: { __type: 'GeoPoint', latitude: n, longitude: 2 },
          file: { __type: 'File', name: file.body.name },
          ACL: { [objectId]: { read: true } },
          fans: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId }] },
        },
        master,
      ),
    ),
  )
  const { db, config } = server.context
  const report = await exportData({ db, config, folder: join(folder, 'all'), files: true })
  expect(report.files).toBe(1)
  expect(report.units).toContainEqual({ name: '_Join:fans:Post', count: 3 })
  await importData({
    db: other.context.db,
    config: other.context.config,
    source: await openParseExport(join(folder, 'all')),
    files: { mode: 'copy' },
  })
  await other.context.classes.refresh()
  const id = posts[2]?.body.objectId
  const [one, same] = await Promise.all(
    [server, other].map(async (asked) => (await asked.call('GET', `/classes/Post/${id}`, undefined, master)).body),
  )
  const { file: stored, ...rest } = same as { file: { url: string; name: string } }
  expect(rest).toEqual(Object.fromEntries(Object.entries(one as object).filter(([name]) => name !== 'file')))
  expect(await (await fetch(stored.url)).text()).toBe('content')
  expect((await other.call('POST', '/login', { username: 'ada', password: 'ada password' })).body.objectId).toBe(
    objectId,
  )
  expect((await createWalletUser(other, wallet.account)).objectId).toBe(wallet.objectId)
  expect((await other.call('GET', '/classes/Post')).body.code).toBe(119)
})

test('one class alone; a folder that holds an export is refused', async () => {
  const { db, config } = server.context
  await exportData({ db, config, folder: join(folder, 'one'), classes: ['_Role'], files: false })
  expect((await readdir(join(folder, 'one'))).sort()).toEqual([
    '_Join%3Aroles%3A_Role.json',
    '_Join%3Ausers%3A_Role.json',
    '_Role.json',
    '_SCHEMA.json',
  ])
  const again = exportData({ db, config, folder: join(folder, 'one'), classes: ['_Role'], files: false })
  await expect(again).rejects.toThrow('already contains an export')
  await expect(exportData({ db, config, folder: join(folder, 'x'), classes: ['No'], files: false })).rejects.toThrow(
    'Class No does not exist',
  )
})
