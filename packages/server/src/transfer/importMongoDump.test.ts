import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import { Binary, Double, Int32, Long, ObjectId } from 'bson'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { countsOf, created, createImports, times, updated } from '../testing/transfer/createImports.ts'
import { writeMongoDump } from '../testing/transfer/writeMongoDump.ts'
import type { ImportReport } from './importProgress.ts'
import { openMongoDump } from './sources/openDump.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await createTestServer()
  folder = await mkdtemp(join(tmpdir(), 'countersign-import-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const { runImport } = createImports(() => server)

describe('a mongodump folder', () => {
  const ada = privateKeyToAccount(generatePrivateKey())
  let report: ImportReport

  beforeAll(async () => {
    const dump = await writeMongoDump(
      join(folder, 'dump'),
      {
        _SCHEMA: [
          {
            _id: 'Game',
            objectId: 'string',
            title: 'string',
            score: 'number',
            plays: 'number',
            place: 'geopoint',
            area: 'polygon',
            raw: 'bytes',
            icon: 'file',
            ended: 'date',
            owner: '*_User',
            players: 'relation<_User>',
            extra: 'object',
            tags: 'array',
            _metadata: {
              class_permissions: {
                find: { '*': true },
                get: { '*': true },
                count: { '*': true },
                create: { requiresAuthentication: true },
                update: { '*': true },
                delete: {},
                addField: {},
                protectedFields: { '*': ['score'] },
              },
            },
          },
          { _id: '_User', objectId: 'string', username: 'string', email: 'string', nick: 'string' },
        ],
        _User: [
          {
            _id: 'ada0000001',
            username: 'ada',
            email: 'ada@example.org',
            emailVerified: true,
            nick: 'the countess',
            _hashed_password: await bcryptHash('old password', 4),
            _rperm: ['*', 'ada0000001'],
            _wperm: ['ada0000001'],
            ...times,
          },
          {
            _id: 'wal0000001',
            username: 'wallet one',
            _hashed_password: await bcryptHash('x', 4),
            _auth_data_moralisEth: { id: ada.address.toLowerCase(), signature: '0x00', data: 'x' },
            ethAddress: ada.address.toLowerCase(),
            accounts: [ada.address.toLowerCase(), '0x00000000000000000000000000000000000000aa'],
            _rperm: ['wal0000001'],
            _wperm: ['wal0000001'],
            ...times,
          },
          // Wrote the wallet of somebody else into its own record, long ago.
          {
            _id: 'thief00001',
            username: 'ADA',
            email: 'Ada@Example.org',
            accounts: [ada.address.toLowerCase()],
            _auth_data_facebook: { id: 'fb-1', access_token: 'secret' },
            ...times,
          },
        ],
        _Role: [{ _id: 'role000001', name: 'editors', _rperm: ['*'], _wperm: [], ...times }],
        '_Join:users:_Role': [
          { _id: 'j1', owningId: 'role000001', relatedId: 'ada0000001' },
          { _id: 'j2', owningId: 'nobody', relatedId: 'ada0000001' },
        ],
        Game: [
          {
            _id: 'game000001',
            title: 'First',
            score: new Double(1.5),
            plays: Long.fromNumber(9_007_199_254_740_991),
            place: [8.5, 47.4],
            area: {
              type: 'Polygon',
              coordinates: [
                [
                  [0, 1],
                  [2, 3],
                  [4, 0],
                  [0, 1],
                ],
              ],
            },
            raw: new Binary(Buffer.from('bytes')),
            icon: '0123456789abcdef0123456789abcdef_icon.png',
            ended: new Date('2021-05-06T07:08:09.000Z'),
            _p_owner: '_User$ada0000001',
            extra: { at: new Date(0), list: [{ __type: 'Pointer', className: '_User', objectId: 'ada0000001' }] },
            tags: ['a', new Int32(3)],
            _rperm: ['ada0000001', 'role:editors'],
            _wperm: ['ada0000001'],
            ...times,
          },
          { _id: 'game000002', title: 'Open', ...times },
        ],
        '_Join:players:Game': [{ _id: 'p1', owningId: 'game000001', relatedId: 'wal0000001' }],
        _Session: [
          {
            _id: 'sess000001',
            _session_token: 'r:0123456789abcdef0123456789abcdef',
            _p_user: '_User$ada0000001',
            expiresAt: new Date(Date.now() + 86_400_000),
            createdWith: { action: 'login', authProvider: 'password' },
            ...times,
          },
          { _id: 'sess000002', _session_token: 'r:a', _p_user: '_User$ada0000001', ...times },
        ],
        _JobSchedule: [{ _id: 'x', jobName: 'danger' }],
      },
      { Game: [{ v: 2, key: { score: { $numberInt: '-1' } }, name: 'score_-1' }] },
    )
    await mkdir(join(folder, 'pictures'))
    await writeFile(join(folder, 'pictures', '0123456789abcdef0123456789abcdef_icon.png'), 'not really a picture')
    report = await runImport(await openMongoDump(dump, join(folder, 'pictures')))
  })

  test('comes over as a whole, and the report counts what did not', () => {
    expect(countsOf(report)).toEqual({
      _User: [3, 3, 0, 0],
      _Role: [1, 1, 0, 0],
      Game: [2, 2, 0, 0],
      '_Join:players:Game': [1, 1, 0, 0],
      '_Join:users:_Role': [2, 1, 0, 1],
      _Session: [2, 1, 0, 1],
    })
    expect(report.leftOut.join()).toContain('_JobSchedule is not imported')
    expect(report.files).toEqual({ fetched: 1, present: 0, missing: 0 })
  })

  test('objects keep id, times, values and access list', async () => {
    const { body } = await server.call('GET', '/classes/Game/game000001', undefined, { master: true })
    expect(body).toMatchObject({
      objectId: 'game000001',
      createdAt: created.toISOString(),
      updatedAt: updated.toISOString(),
      title: 'First',
      score: 1.5,
      plays: 9_007_199_254_740_991,
      place: { __type: 'GeoPoint', latitude: 47.4, longitude: 8.5 },
      area: {
        __type: 'Polygon',
        coordinates: [
          [1, 0],
          [3, 2],
          [0, 4],
          [1, 0],
        ],
      },
      raw: { __type: 'Bytes', base64: Buffer.from('bytes').toString('base64') },
      ended: { __type: 'Date', iso: '2021-05-06T07:08:09.000Z' },
      owner: { __type: 'Pointer', className: '_User', objectId: 'ada0000001' },
      extra: {
        at: { __type: 'Date', iso: '1970-01-01T00:00:00.000Z' },
        list: [{ __type: 'Pointer', className: '_User', objectId: 'ada0000001' }],
      },
      tags: ['a', 3],
      players: { __type: 'Relation', className: '_User' },
      ACL: { ada0000001: { read: true, write: true }, 'role:editors': { read: true } },
    })
    const icon = body.icon as { url: string }
    expect(await (await fetch(icon.url)).text()).toBe('not really a picture')
    const { body: schema } = await server.call('GET', '/schemas/Game', undefined, { master: true })
    expect(schema.classLevelPermissions).toMatchObject({ delete: {}, create: { requiresAuthentication: true } })
    expect(schema.indexes).toEqual({ score__1: { score: -1 } })
  })

  test('the old password opens the account, and is kept as Argon2id from then on', async () => {
    const hashOf = async () => {
      const [row] = await server.context.db.query<{ _password_hash: string }>(
        sql`select "_password_hash" from "_User" where "objectId" = 'ada0000001'`,
      )
      return row?._password_hash
    }
    expect(await hashOf()).toMatch(/^\$2/)
    expect((await server.call('POST', '/login', { username: 'ada', password: 'wrong' })).status).toBe(404)
    expect(await hashOf()).toMatch(/^\$2/)
    const two = await Promise.all(
      [1, 2].map(() => server.call('POST', '/login', { username: 'ada', password: 'old password' })),
    )
    expect(two.map(({ status, body }) => [status, body.objectId])).toEqual([
      [200, 'ada0000001'],
      [200, 'ada0000001'],
    ])
    expect(await hashOf()).toMatch(/^\$argon2id/)
    const again = await server.call('POST', '/login', { username: 'ada', password: 'old password' })
    const token = again.body.sessionToken as string
    // The old access list, the old role and the old pointer still work.
    const game = await server.call('GET', '/classes/Game/game000001?include=owner', undefined, { token })
    expect(game.body).toMatchObject({ title: 'First', owner: { username: 'ada', nick: 'the countess' } })
    expect((await server.call('GET', '/classes/Game/game000001')).status).toBe(404)
    const roles = await server.call('GET', '/roles', undefined, { token })
    expect(roles.body.results).toMatchObject([{ name: 'editors' }])
  })

  test('a wallet signs in into the old account, and counts as proven from then on', async () => {
    const importedOf = async () => {
      const [row] = await server.context.db.query<{ imported: Date | null; user: string }>(
        sql`select imported, "user" from countersign.wallets where address = ${ada.address.toLowerCase()}`,
      )
      return row
    }
    expect(await importedOf()).toMatchObject({ user: 'wal0000001', imported: expect.any(Date) })
    const { objectId, token } = await createWalletUser(server, ada)
    expect(objectId).toBe('wal0000001')
    expect(await importedOf()).toMatchObject({ imported: null })
    const { body } = await server.call('GET', '/users/me', undefined, { token })
    expect(body).toMatchObject({
      ethAddress: ada.address.toLowerCase(),
      accounts: [ada.address.toLowerCase(), '0x00000000000000000000000000000000000000aa'],
    })
    const { body: wallets } = await server.call('GET', '/auth/wallets', undefined, { token })
    expect((wallets.results as { imported?: true }[]).map(({ imported }) => imported)).toEqual([undefined, true])
  })

  test('a wallet or name of another in the own record is not imported', async () => {
    const { body } = await server.call('GET', '/users/thief00001', undefined, { master: true })
    expect(body.username).toBe('ADA-thief00001')
    expect(body.email).toBeUndefined()
    expect(body.accounts).toBeUndefined()
    expect(body.ACL).toEqual({ '*': { read: true }, thief00001: { read: true, write: true } })
    const identities = await server.context.db.query(sql`select provider, id, "user" from countersign.identities`)
    expect(identities).toEqual([{ provider: 'facebook', id: 'fb-1', user: 'thief00001' }])
  })

  test('an open session continues; one with a guessable token does not', async () => {
    const me = (token: string) => server.call('GET', '/users/me', undefined, { token })
    expect((await me('r:0123456789abcdef0123456789abcdef')).body.objectId).toBe('ada0000001')
    expect((await me('r:a')).status).toBe(400)
  })

  test('a second run finds everything there', async () => {
    const again = await runImport(await openMongoDump(join(folder, 'dump'), join(folder, 'pictures')))
    expect(countsOf(again)).toEqual(countsOf(report))
    const restarted = await runImport(await openMongoDump(join(folder, 'dump')), { restart: true })
    expect(countsOf(restarted)).toMatchObject({ _User: [3, 0, 3, 0], Game: [2, 0, 2, 0] })
    const [{ count } = { count: 0 }] = await server.context.db.query<{ count: number }>(
      sql`select count(*)::integer as count from "Game"`,
    )
    expect(count).toBe(2)
  })
})

test('files of GridFS come over whole, the newest of a name; what lacks a piece is counted as missing', async () => {
  const ids = Array.from({ length: 4 }, () => new ObjectId())
  const content = Buffer.from('a picture that lies in three pieces, out of order')
  const pieceOf = (file: number, n: number, bytes: Buffer) => ({
    _id: new ObjectId(),
    files_id: ids[file],
    n: new Int32(n),
    data: new Binary(bytes),
  })
  const fileOf = (file: number, filename: string, length: number, uploadDate = updated) => ({
    _id: ids[file],
    filename,
    length: Long.fromNumber(length),
    chunkSize: new Int32(20),
    uploadDate,
  })
  const dump = await writeMongoDump(join(folder, 'gridfs'), {
    Picture: ['whole.txt', 'cut.txt', 'short.txt'].map((name, index) => ({
      _id: `grid${index}`,
      file: name,
      ...times,
    })),
    _SCHEMA: [{ _id: 'Picture', objectId: 'string', file: 'file' }],
    'fs.files': [
      fileOf(0, 'whole.txt', content.length),
      fileOf(1, 'whole.txt', 3, created),
      fileOf(2, 'cut.txt', 40),
      fileOf(3, 'short.txt', 99),
    ],
    'fs.chunks': [
      pieceOf(0, 2, content.subarray(40)),
      pieceOf(1, 0, Buffer.from('old')),
      pieceOf(0, 0, content.subarray(0, 20)),
      pieceOf(2, 1, Buffer.alloc(20)),
      pieceOf(0, 1, content.subarray(20, 40)),
      pieceOf(3, 0, Buffer.alloc(20)),
    ],
  })
  const { files, leftOut } = await runImport(await openMongoDump(dump))
  expect([files, leftOut]).toEqual([{ fetched: 1, present: 0, missing: 2 }, []])
  const { body } = await server.call('GET', '/classes/Picture/grid0', undefined, { master: true })
  const response = await fetch((body.file as { url: string }).url)
  expect([response.status, await response.text()]).toEqual([200, content.toString()])
  const { context } = server
  expect(await context.db.query(sql`select name from countersign.files where digest is null`)).toEqual([])
  const noted = await context.db.query<{ action: string }>(
    sql`select actor, action, details from countersign.audit where subject = ${`mongo ${join(dump, 'app')}`} order by id`,
  )
  expect(noted).toEqual([
    { actor: 'operator', action: 'import.begin', details: {} },
    { actor: 'operator', action: 'import.end', details: { written: { Picture: 3 } } },
  ])
})
