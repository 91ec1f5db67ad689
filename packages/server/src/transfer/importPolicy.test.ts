import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { countsOf, createImports } from '../testing/transfer/createImports.ts'
import { openParseExport } from './sources/openDump.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await createTestServer()
  folder = await mkdtemp(join(tmpdir(), 'countersign-policy-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const { runImport } = createImports(() => server)

const tokenOf = (letter: string) => `r:${letter.repeat(32)}`
const inOneYear = new Date(Date.now() + 365 * 86_400_000).toISOString()
const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })
const sessionOf = (objectId: string, user: string, letter: string, more: object = {}) => ({
  objectId,
  sessionToken: tokenOf(letter),
  user: pointer('_User', user),
  expiresAt: { __type: 'Date', iso: inOneYear },
  ...more,
})

async function write(name: string, classes: { [className: string]: object[] }) {
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  for (const [className, rows] of Object.entries(classes)) {
    await writeFile(join(place, `${className}.json`), JSON.stringify(rows))
  }
  return openParseExport(place)
}

const sentencesOf = ({ notes }: { notes: { sentence: string }[] }) => notes.map(({ sentence }) => sentence).join('\n')

async function signUp(username: string) {
  const { body } = await server.call('POST', '/users', { username, password: 'a long password' })
  return { objectId: String(body.objectId), token: String(body.sessionToken) }
}

test('SEC-51: an import gives no session, wallet, identity or role to an account that was there', async () => {
  const { db } = server.context
  const ann = await signUp('ann')
  const operator = await signUp('operator')
  await db.query(
    sql`insert into countersign.operators ("user", role, since) values (${operator.objectId}, 'admin', now())`,
  )
  const { body: role } = await server.call('POST', '/roles', { name: 'staff', ACL: {} }, { master: true })
  await server.call('POST', '/classes/Room', { name: 'one' }, { master: true })
  const { body: room } = await server.call(
    'POST',
    '/classes/Room',
    { name: 'two', guests: { __op: 'AddRelation', objects: [pointer('_User', ann.objectId)] } },
    { master: true },
  )
  const wallet = () => privateKeyToAccount(generatePrivateKey()).address.toLowerCase()
  const [annWallet, operatorWallet, newWallet] = [wallet(), wallet(), wallet()]

  const report = await runImport(
    await write('attack', {
      _User: [
        { objectId: ann.objectId, username: 'x1', authData: { github: { id: 'g1' }, moralisEth: { id: annWallet } } },
        { objectId: operator.objectId, username: 'x2', authData: { github: { id: 'g2' } } },
        { objectId: 'newcomer01', username: 'x3', authData: { github: { id: 'g3' }, moralisEth: { id: newWallet } } },
      ],
      _EthAddress: [{ objectId: operatorWallet, user: pointer('_User', operator.objectId) }],
      _Role: [{ objectId: 'newrole001', name: 'guests', ACL: {} }],
      '_Join:users:_Role': [
        { owningId: String(role.objectId), relatedId: 'newcomer01' },
        { owningId: 'newrole001', relatedId: ann.objectId },
        { owningId: 'newrole001', relatedId: 'newcomer01' },
      ],
      '_Join:roles:_Role': [{ owningId: String(role.objectId), relatedId: 'newrole001' }],
      '_Join:guests:Room': [{ owningId: String(room.objectId), relatedId: 'newcomer01' }],
      _Installation: [
        { objectId: 'device0001', installationId: 'd1', deviceType: 'ios', user: pointer('_User', ann.objectId) },
        { objectId: 'device0002', installationId: 'd2', deviceType: 'ios', user: pointer('_User', 'newcomer01') },
      ],
      _Session: [
        sessionOf('s1', ann.objectId, 'a'),
        sessionOf('s2', operator.objectId, 'b'),
        sessionOf('s3', 'newcomer01', 'c'),
      ],
    }),
  )

  const me = async (letter: string) =>
    (await server.call('GET', '/users/me', undefined, { token: tokenOf(letter) })).body.objectId
  expect([await me('a'), await me('b'), await me('c')]).toEqual([undefined, undefined, 'newcomer01'])
  const identities = await db.query<{ user: string }>(sql`select "user" from countersign.identities`)
  expect(identities.map(({ user }) => user)).toEqual(['newcomer01'])
  const wallets = await db.query<{ user: string }>(sql`select "user" from countersign.wallets`)
  expect(wallets.map(({ user }) => user)).toEqual(['newcomer01'])
  expect(await db.query(sql`select "owningId", "relatedId" from "_Join:users:_Role"`)).toEqual([
    { owningId: 'newrole001', relatedId: 'newcomer01' },
  ])
  expect(await db.query(sql`select "owningId" from "_Join:roles:_Role"`)).toEqual([])
  expect(await db.query(sql`select "relatedId" from "_Join:guests:Room"`)).toEqual([{ relatedId: ann.objectId }])
  expect(await db.query(sql`select "objectId", "user" from "_Installation" order by 1`)).toEqual([
    { objectId: 'device0001', user: null },
    { objectId: 'device0002', user: 'newcomer01' },
  ])
  expect(report.wallets).toEqual({ linked: 1, contested: 0, taken: 0, foreign: 2 })
  const sentences = sentencesOf(report)
  for (const part of ['sessions', 'sign-in methods', 'relations', 'devices'])
    expect(sentences).toMatch(new RegExp(`${part}.* is not part of this import`))
  expect(countsOf(report)).toMatchObject({ _Session: [3, 1, 0, 2], '_Join:users:_Role': [3, 1, 0, 2] })
})

test('SEC-51: an imported session is not confirmed, with any time in the dump', async () => {
  const { db, config } = server.context
  const far = '9998-01-01T00:00:00.000Z'
  const before = Date.now()
  await runImport(
    await write('times', {
      _User: [{ objectId: 'timely0001', username: 'timely', createdAt: far, updatedAt: far }],
      _Session: [
        sessionOf('t1', 'timely0001', 'd', {
          createdAt: far,
          updatedAt: far,
          expiresAt: { __type: 'Date', iso: far },
          createdWith: { action: 'login', authProvider: 'passkey' },
          installationId: 'x'.repeat(5_000),
        }),
      ],
      Note: [{ objectId: 'n1', createdAt: '2998-01-01T00:00:00.000Z', updatedAt: { __type: 'Date', iso: far } }],
    }),
  )
  const [session] = await db.query<{ createdAt: Date; expiresAt: Date; _confirmed: Date; createdWith: object }>(sql`
    select "createdAt", "expiresAt", "_confirmed", "createdWith", "installationId"
    from "_Session"
    where "objectId" = 't1'`)
  expect(session).toMatchObject({
    _confirmed: new Date(0),
    installationId: null,
    createdWith: { authProvider: 'import' },
  })
  expect(session?.createdAt.getTime()).toBeLessThanOrEqual(Date.now())
  expect(session?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + config.sessionLength * 1000)
  for (const table of ['_User', 'Note']) {
    const rows = await db.query<{ createdAt: Date; updatedAt: Date }>(
      sql`select "createdAt", "updatedAt" from ${sql.id(table)} where "objectId" in ('timely0001', 'n1')`,
    )
    for (const { createdAt, updatedAt } of rows) {
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(before - 1_000)
      expect(Math.max(createdAt.getTime(), updatedAt.getTime())).toBeLessThanOrEqual(Date.now())
    }
  }
  const asked = { token: tokenOf('d') }
  expect((await server.call('PUT', '/users/timely0001', { password: 'another password' }, asked)).status).toBe(403)
})

test('SEC-51: accounts of an import that has ended are accounts like any other; a resumed import goes on', async () => {
  const { db } = server.context
  const users = [{ objectId: 'resumed001', username: 'resumed' }]
  await runImport(await write('resumed', { _User: users }))
  await runImport(await write('resumed', { _User: users, _Session: [sessionOf('r1', 'resumed001', 'e')] }))
  expect(await db.query(sql`select 1 from "_Session" where "objectId" = 'r1'`)).toEqual([])

  const others = [{ objectId: 'resumed002', username: 'resumed two' }]
  const broken = await write('broken', { _User: others, _Session: [sessionOf('r2', 'resumed002', 'f')] })
  await writeFile(join(folder, 'broken', 'Cut.json'), '[{"objectId":"c1"},{"obj')
  const withCut = await openParseExport(join(folder, 'broken'))
  await expect(runImport(withCut)).rejects.toThrow('incomplete')
  await writeFile(join(folder, 'broken', 'Cut.json'), '[{"objectId":"c1"}]')
  await broken.close?.()
  await runImport(await openParseExport(join(folder, 'broken')))
  expect(await db.query(sql`select 1 from "_Session" where "objectId" = 'r2'`)).toHaveLength(1)
})

test('SEC-51: names, ids, sizes and values are bounded as those of a client', async () => {
  const { db } = server.context
  await server.call('POST', '/roles', { name: 'retired', ACL: {} }, { master: true })
  await server.call('POST', '/classes/_Installation', undefined, { master: true })
  await db.query(sql`delete from "_Role" where "name" = 'retired'`)
  const report = await runImport(
    await write('bounds', {
      Bound: [
        { objectId: 'x'.repeat(201) },
        { objectId: 'a/../b' },
        { objectId: 'role:x' },
        { objectId: 'big', text: 'x'.repeat(21 * 1024 * 1024) },
        { objectId: 'odd', nested: { constructor: { prototype: 1 }, _bsontype: 'x', fine: 1 } },
      ],
      _User: ['me', '*', 'currentUser', 'authenticated', 'userField:owner', 'pointerFields'].map((objectId, index) => ({
        objectId,
        username: `reserved ${index}`,
      })),
      _Role: [
        { objectId: 'ro1', name: 'retired', ACL: {} },
        { objectId: 'ro2', name: 'a:b', ACL: {} },
        { objectId: 'ro3', name: 'open' },
      ],
    }),
  )
  expect(countsOf(report)).toMatchObject({ Bound: [5, 1, 0, 4], _User: [6, 0, 0, 6], _Role: [3, 1, 0, 2] })
  const { body } = await server.call('GET', '/classes/Bound/odd', undefined, { master: true })
  expect(body.nested).toEqual({ fine: 1 })
  expect(await db.query(sql`select "name", "_wperm" from "_Role" where "objectId" like 'ro_'`)).toEqual([
    { name: 'open', _wperm: [] },
  ])
  expect(sentencesOf(report)).toContain('20 MB')
})
