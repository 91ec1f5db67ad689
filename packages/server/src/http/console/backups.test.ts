import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openConsole } from '../../testing/openConsole.ts'

let folder = ''
const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-backups-'))
  await office.startWith({ backup: { folder, keep: 2, passphrase: 'a secret of the backups' } })
})
beforeEach(office.renew)
afterAll(async () => {
  await office.stop()
  await rm(folder, { recursive: true })
})

type Listed = { name: string; finished?: string; bytes?: number; error?: string }
const list = async () => (await ask(watcher, 'GET', '/console/backups')).body.results as Listed[]

test('an administrator has a backup made; viewers see how it went, and no passphrase', async () => {
  const empty = await ask(watcher, 'GET', '/console/backups')
  expect(empty.body).toEqual({ isSet: true, keep: 2, isEncrypted: true, results: [] })
  expect(empty.text).not.toContain('a secret')
  const begun = await ask(root, 'POST', '/console/backups', {})
  expect(begun.status).toBe(202)
  const name = begun.body.name as string
  await expect
    .poll(async () => (await list())[0], { timeout: 60_000 })
    .toMatchObject({
      name,
      place: folder,
      finished: expect.any(String),
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  expect(await readdir(folder)).toEqual([name])
  const [entry] = await office.server.context.db.query<{ actor: string }>(
    sql`select actor from countersign.audit where action = 'createBackup'`,
  )
  expect(entry?.actor).toBe(`operator:${root.objectId}`)
}, 120_000)

test('while one is under way, by any server, no other begins; one that was given up does not count', async () => {
  const { db, clock } = office.server.context
  const begun = (hours: number) =>
    db.query(sql`
      insert into countersign.backups (name, started, place)
      values (${`of another ${hours}`}, ${new Date(clock.ms() - hours * 3_600_000)}, 'elsewhere')`)
  await begun(1)
  expect((await ask(root, 'POST', '/console/backups', {})).body).toMatchObject({ reason: 'backupUnderWay' })
  await db.query(sql`delete from countersign.backups where name = 'of another 1'`)
  await begun(7)
  const again = await ask(root, 'POST', '/console/backups', {})
  expect(again.status).toBe(202)
  await expect
    .poll(async () => (await list()).find(({ name }) => name === again.body.name)?.finished, { timeout: 60_000 })
    .toBeDefined()
}, 120_000)

test('others begin none, and it needs a recent proof', async () => {
  expect((await ask(watcher, 'POST', '/console/backups', {})).body.reason).toBe('operatorForbidden')
  expect((await ask(helper, 'GET', '/console/backups')).body.reason).toBe('operatorForbidden')
  expect((await ask(ann, 'GET', '/console/backups')).status).toBe(404)
  office.server.clock.forward(901_000)
  expect((await ask(root, 'POST', '/console/backups', {})).body.reason).toBe('reauthenticationRequired')
})
