import type { AuditRecord, AuditVerdict } from '@countersign/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { sealAudit } from './chain.ts'

let server: TestServer
beforeEach(async () => {
  server = await createTestServer()
})
afterEach(() => server.stop())

const master = { master: true }
const list = async (query = '') =>
  (await server.call('GET', `/audit${query}`, undefined, master)).body.results as AuditRecord[]
const verify = async (query = '') =>
  (await server.call('GET', `/audit/verification${query}`, undefined, master)).body as unknown as AuditVerdict
const seal = async () => {
  while (await sealAudit(server.context));
}
const run = (text: string) => server.context.db.query({ text })

/** As somebody does who may do everything in the database. */
async function tamper(text: string): Promise<void> {
  await run('alter table countersign.audit disable trigger user')
  await run(text)
  await run('alter table countersign.audit enable trigger user')
}

/** A log with entries of several kinds, all of them in the chain. */
async function fill(): Promise<AuditRecord[]> {
  const ada = await server.signUp('ada')
  await server.call('PUT', `/users/${ada.objectId}`, { password: 'another one' }, { token: ada.token })
  await server.call('POST', '/roles', { name: 'crew', ACL: {} }, master)
  await server.call('POST', '/schemas/Doc', { fields: { title: { type: 'String' } } }, master)
  await server.call('PUT', '/schemas/Doc', { classLevelPermissions: { find: { '*': true } } }, master)
  await server.call('PUT', '/config', { params: { secretSetting: 'hidden value' } }, master)
  await expect.poll(async () => (await list()).map(({ action }) => action)).toContain('updateConfig')
  await seal()
  return list('?limit=100')
}

test('records changes of rights and accounts: actor, action, subject, and no values of the master key', async () => {
  const entries = await fill()
  const actions = entries.map(({ actor, action }) => `${actor.split(':')[0]} ${action}`)
  expect(actions).toEqual(
    expect.arrayContaining([
      'server server.start',
      'user account.changePassword',
      'database role.insert',
      'masterKey createRole',
      'database class.insert',
      'database class.update',
      'masterKey updateConfig',
    ]),
  )
  expect(actions.join()).not.toMatch(/signUp|signIn/)
  expect(JSON.stringify(entries)).not.toContain('hidden value')
  expect(JSON.stringify(entries)).not.toContain(server.masterKey)
  expect(entries.find(({ action }) => action === 'updateConfig')).toMatchObject({
    address: '127.0.0.1',
    details: { fields: ['params'] },
  })
  expect(await verify()).toMatchObject({ isIntact: true, entries: entries.length, pending: 0, faults: [] })
})

test('it is read in pages and by actor, action and subject', async () => {
  for (let i = 0; i < 12; i++) await server.call('POST', '/roles', { name: `role ${i}`, ACL: {} }, master)
  const entries = await fill()
  expect(entries.map(({ id }) => Number(id))).toEqual(entries.map(({ id }) => Number(id)).toSorted((a, b) => b - a))
  const paged: AuditRecord[] = []
  for (let before = ''; ; ) {
    const page = await list(`?limit=3${before}`)
    paged.push(...page)
    if (page.length < 3) break
    before = `&before=${page.at(-1)?.id}`
  }
  expect(paged).toEqual(entries)
  expect((await list('?actor=masterKey')).every(({ actor }) => actor === 'masterKey')).toBe(true)
  expect(new Set((await list('?action=role.insert')).map(({ action }) => action))).toEqual(new Set(['role.insert']))
  expect((await list('?subject=Doc')).length).toBeGreaterThan(1)
  for (const query of ['?limit=0', '?limit=101', '?before=x', "?before=1'--"])
    expect((await server.call('GET', `/audit${query}`, undefined, master)).status).toBe(400)
  expect((await server.call('GET', '/audit')).status).toBe(403)
})

test('the log takes new entries only', async () => {
  await fill()
  for (const text of [
    `update countersign.audit set actor = 'nobody' where position = 1`,
    'update countersign.audit set hash = null, position = null where position = 1',
    'delete from countersign.audit where position = 1',
    'truncate countersign.audit',
  ])
    await expect(run(text)).rejects.toThrow('takes new entries only')
})

const last = '(select max(position) from countersign.audit)'
test.each([
  [
    'an actor changed',
    `update countersign.audit set actor = 'nobody' where position = 2`,
    /Entry 2 or an earlier one was changed/,
  ],
  [
    'a time changed',
    `update countersign.audit set at = at + interval '1 hour' where position = 3`,
    /Entry 3 or an earlier one was changed/,
  ],
  [
    'details changed',
    `update countersign.audit set details = '{}' where position = 1`,
    /Entry 1 or an earlier one was changed/,
  ],
  ['an address changed', `update countersign.audit set address = '10.0.0.1' where position = ${last}`, /was changed/],
  ['an entry removed', 'delete from countersign.audit where position = 2', /Entries 2 to 2 are missing/],
  ['the first removed', 'delete from countersign.audit where position = 1', /Entries 1 to 1 are missing/],
  ['the newest removed', `delete from countersign.audit where position = ${last}`, /missing at the end/],
  ['all removed', 'delete from countersign.audit', /missing at the end/],
  [
    'two exchanged',
    `update countersign.audit set position = -1 where position = 2;
    update countersign.audit set position = 2 where position = 3; update countersign.audit set position = 3 where position = -1`,
    /was changed/,
  ],
  [
    'one taken out of the chain',
    `update countersign.audit set position = null, hash = null where position = ${last}`,
    /missing at the end/,
  ],
  [
    'the end taken back',
    `delete from countersign.audit where position = ${last};
    update countersign.audit_head set position = position - 1, hash = (select hash from countersign.audit where position = ${last})`,
    /not signed with the secret/,
  ],
  ['the end removed', 'delete from countersign.audit_head', /signed end of the log is missing/],
])('verify finds %s', async (_name, text, fault) => {
  await fill()
  expect((await verify()).isIntact).toBe(true)
  await tamper(text)
  const { isIntact, faults } = await verify()
  expect([isIntact, faults.join('\n')]).toEqual([false, expect.stringMatching(fault)])
})

test('an anchor that was kept elsewhere proves what came before it, even to one with the secret', async () => {
  await fill()
  const { head = '', entries } = await verify()
  expect(await verify(`?anchor=${head}`)).toMatchObject({ isIntact: true })
  // The whole log is written once more, as only the server itself could.
  await tamper(`update countersign.audit set actor = 'nobody' where position = 2; delete from countersign.audit_head;
    update countersign.audit set position = null, hash = null`)
  await seal()
  expect(await verify()).toMatchObject({ isIntact: true, entries })
  expect((await verify(`?anchor=${head}`)).faults).toEqual([`Entry ${entries} does not match the anchor.`])
  expect((await verify(`?anchor=${entries + 5}:${'0'.repeat(64)}`)).faults.join()).toContain('is missing')
  expect((await server.call('GET', '/audit/verification?anchor=1:x', undefined, master)).status).toBe(400)
})

test('servers that write together make one chain, and a change that is undone leaves no entry', async () => {
  const other = await createTestServer({}, server.database)
  try {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? server : other).call('POST', '/roles', { name: `role ${i}`, ACL: {} }, master),
      ),
    )
    await Promise.all([seal(), sealAudit(other.context)])
    // Entries of the master key that nobody waits for are written a moment later.
    const created = async () => (await list('?action=createRole&limit=100')).length
    await expect.poll(created, { timeout: 60_000 }).toBe(20)
    await seal()
    expect(await verify()).toMatchObject({ isIntact: true, faults: [], pending: 0 })
    const { db } = server.context
    const before = (await list('?action=role.insert')).length
    await db
      .transaction(async () => {
        await db.query(
          sql`insert into "_Role" ("objectId", "createdAt", "updatedAt", name) values ('gone', now(), now(), 'gone')`,
        )
        throw new Error('undone')
      })
      .catch(() => {})
    expect((await list('?action=role.insert')).length).toBe(before)
  } finally {
    await other.stop()
  }
})

test('a key that is another than at the start before is noted', async () => {
  const renewed = await createTestServer({ masterKey: 'a new master key for all' }, server.database)
  try {
    const [entry] = (await list('?action=key.change')) as [AuditRecord]
    expect(entry).toMatchObject({ actor: 'server', subject: 'masterKey' })
    expect(JSON.stringify(await list())).not.toContain('a new master key')
  } finally {
    await renewed.stop()
  }
})
