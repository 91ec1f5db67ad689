import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditVerdict } from '@countersign/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restoreBackup } from '../backup/restoreBackup.ts'
import { writeToFile } from '../backup/startBackups.ts'
import { writeBackup } from '../backup/writeBackup.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { readAnchors, writeAnchor } from './anchors.ts'
import { findHead, sealAudit } from './chain.ts'

let folder: string
let database: TestDatabase
let server: TestServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-anchors-'))
  database = await openTestDatabase({ template: 'migrated' })
  server = await start()
})
afterEach(async () => {
  await server.stop()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const start = () => createTestServer({ dataFolder: folder, files: { store: 'database' } }, database)
const master = { master: true }
const run = (text: string) => server.context.db.query({ text })
const verify = async () =>
  (await server.call('GET', '/audit/verification', undefined, master)).body as unknown as AuditVerdict
const seal = async () => {
  while (await sealAudit(server.context));
}

/** The log as it is now, and a way back to it for somebody who may do everything in the database. */
async function keepState(): Promise<() => Promise<void>> {
  await seal()
  await run('create table public.kept_audit as select * from countersign.audit')
  await run('create table public.kept_head as select * from countersign.audit_head')
  return async () => {
    await run('alter table countersign.audit disable trigger user')
    await run('delete from countersign.audit')
    await run('insert into countersign.audit overriding system value select * from public.kept_audit')
    await run('delete from countersign.audit_head')
    await run('insert into countersign.audit_head select * from public.kept_head')
    await run('alter table countersign.audit enable trigger user')
  }
}

const makeRole = async (name: string) => {
  await server.call('POST', '/roles', { name, ACL: {} }, master)
  await seal()
}

test('SEC-58: a log that was put back to an earlier state, mark included, is found by the file of anchors', async () => {
  const putBack = await keepState()
  await makeRole('thief')
  await server.stop()
  server = await start()
  expect(await verify()).toMatchObject({ isIntact: true, faults: [] })
  expect((await verify()).anchors).toBeGreaterThan(0)
  await putBack()
  const verdict = await verify()
  expect(verdict.isIntact).toBe(false)
  expect(verdict.faults.join()).toMatch(/restored to an earlier state.*audit-anchors/)
  // The log grows past the anchor again; a start says so, too.
  for (let i = 0; i < 5; i++) await makeRole(`later ${i}`)
  await server.stop()
  server = await start()
  expect((await verify()).faults.join()).toMatch(/does not match .*audit-anchors/)
  expect(server.logs.join()).toContain('restored to an earlier state')
})

test('SEC-58: a backup holds the signed end of the log, and shows that it was put back', async () => {
  const putBack = await keepState()
  await makeRole('thief')
  const { db, config, keys } = server.context
  const path = join(folder, 'backups', 'countersign-2026-01-01T00-00-00-000Z.backup')
  await mkdir(join(folder, 'backups'))
  await writeToFile(path, writeBackup({ db, config, keys }))
  await putBack()
  const { faults } = await verify()
  expect(faults.join()).toContain(path)
})

test('SEC-58: lines are only added, and a restore by the operator begins again', async () => {
  const { db, config, keys } = server.context
  await makeRole('one')
  const chunks: Buffer[] = []
  for await (const chunk of writeBackup({ db, config, keys })) chunks.push(chunk)
  await makeRole('two')
  await server.stop()
  server = await start()
  const { anchors } = await readAnchors(config)
  expect(anchors.length).toBeGreaterThan(0)
  const before = await readFile(anchors[0]?.from ?? '', 'utf8')

  const target = await openTestDatabase()
  async function* bytes() {
    yield* chunks
  }
  try {
    await restoreBackup({ db: target.db, config, bytes: bytes() })
    expect((await readFile(anchors[0]?.from ?? '', 'utf8')).startsWith(before)).toBe(true)
    const left = await readAnchors(config)
    const head = await findHead(target.db)
    expect(left.anchors).toMatchObject([{ position: head?.position, hash: head?.hash }])
  } finally {
    await target.close()
  }
})

test('half a line at the end of the file is no anchor', async () => {
  const { config } = server.context
  await writeAnchor(config, { position: 7, hash: 'a'.repeat(64) })
  const { anchors } = await readAnchors(config)
  await appendFile(anchors[0]?.from ?? '', '{"at":"2026-01-0')
  expect((await readAnchors(config)).anchors.map(({ position }) => position)).toContain(7)
})
