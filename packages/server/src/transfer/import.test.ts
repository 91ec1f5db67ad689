import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import { Binary, Double, Int32, Long, ObjectId } from 'bson'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { writeMongoDump } from '../testing/writeMongoDump.ts'
import { type ImportOptions, importData } from './importData.ts'
import type { ImportReport } from './importProgress.ts'
import { openMongoDump, openParseExport } from './sources/openDump.ts'
import { openTable } from './sources/openTable.ts'

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

async function runImport(source: ImportOptions['source'], options: Partial<ImportOptions> = {}): Promise<ImportReport> {
  const { db, config } = server.context
  const report = await importData({ db, config, source, files: { mode: 'copy' }, ...options })
  await server.context.classes.refresh()
  return report
}

const countsOf = ({ units }: ImportReport) =>
  Object.fromEntries(
    units.map(({ name, read, written, present, refused }) => [name, [read, written, present, refused]]),
  )

const created = new Date('2019-03-04T05:06:07.089Z')
const updated = new Date('2020-01-02T03:04:05.678Z')
const times = { _created_at: created, _updated_at: updated }

describe('a folder of mongodump', () => {
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
      '_Join:users:_Role': [2, 1, 1, 0],
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

  test('who only wrote the wallet or the name of another into the own record does not get them', async () => {
    const { body } = await server.call('GET', '/users/thief00001', undefined, { master: true })
    expect(body.username).toBe('ADA-thief00001')
    expect(body.email).toBeUndefined()
    expect(body.accounts).toBeUndefined()
    expect(body.ACL).toEqual({ '*': { read: true }, thief00001: { read: true, write: true } })
    const identities = await server.context.db.query(sql`select provider, id, "user" from countersign.identities`)
    expect(identities).toEqual([{ provider: 'facebook', id: 'fb-1', user: 'thief00001' }])
  })

  test('an open session goes on; one with a token that could be guessed does not', async () => {
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

describe('a JSON export', () => {
  const write = async (name: string, files: { [file: string]: string }) => {
    const place = join(folder, name)
    await mkdir(place, { recursive: true })
    for (const [file, text] of Object.entries(files)) await writeFile(join(place, file), text)
    return place
  }

  test.each([
    ['results', (rows: object[]) => JSON.stringify({ results: rows }, null, 2)],
    ['list', (rows: object[]) => JSON.stringify(rows)],
    ['lines', (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')],
  ])('is read as %s', async (kind, text) => {
    const className = `Json_${kind}`
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      objectId: `o${index}`,
      createdAt: '2015-01-01T00:00:00.000Z',
      updatedAt: '2015-01-02T00:00:00.000Z',
      text: `{"[\\" ${index} ]}`,
      nested: { deep: [{ list: ['}', ']', '"'] }] },
      nothing: null,
    }))
    const report = await runImport(await openParseExport(await write(kind, { [`${className}.json`]: text(rows) })))
    expect(countsOf(report)[className]).toEqual([5_000, 5_000, 0, 0])
    const { body } = await server.call('GET', `/classes/${className}/o4999`, undefined, { master: true })
    expect(body).toMatchObject({ text: '{"[\\" 4999 ]}', nested: { deep: [{ list: ['}', ']', '"'] }] }, nothing: null })
  })

  test('of an old Parse.com application: bcryptPassword, sessionToken, plain times', async () => {
    const place = await write('parsecom', {
      '_User.json': JSON.stringify({
        results: [
          {
            objectId: 'old1',
            username: 'from parse.com',
            bcryptPassword: await bcryptHash('parse password', 4),
            createdAt: '2014-01-01T00:00:00.000Z',
            updatedAt: '2014-01-01T00:00:00.000Z',
            authData: null,
          },
        ],
      }),
    })
    await runImport(await openParseExport(place))
    const { status, body } = await server.call('POST', '/login', {
      username: 'from parse.com',
      password: 'parse password',
    })
    expect([status, body.objectId]).toEqual([200, 'old1'])
  })

  test('what is hostile or odd harms nothing: it is left out, and reported', async () => {
    await writeFile(join(folder, 'secret.json'), '[{"objectId":"s1","text":"secret"}]')
    const place = await write('hostile', {
      'Odd.json': [
        '{"objectId":"a1","n":1,"__proto__":{"isAdmin":true},"constructor":"x","deep":{"__proto__":{"x":1},"ok":1}}',
        '{"objectId":"a2","n":"text","ACL":"everyone"}',
        '{"objectId":"a3","n":2,"text":"nul \\u0000 and \\ud800"}',
        '{"objectId":"a4","ACL":{"*":{"read":1,"write":"yes"},"u":{"read":true}}}',
        '{"no":"id"}',
        '{"objectId":{"$ne":null}}',
        'not json at all',
        '{"objectId":"a5","bad name":1,"pointer":{"__type":"Pointer","className":"x; drop table","objectId":"1"}}',
      ].join('\n'),
      '_User.json': JSON.stringify([
        { objectId: 'role:Admin', username: 'admin' },
        { objectId: '*', username: 'everyone' },
        { objectId: 'u1', username: 'slow', _hashed_password: `$2b$31$${'a'.repeat(53)}` },
        { objectId: 'u2', username: 'li\u202ene', email: 'a\nb@c.d', ACL: {} },
      ]),
      'pg_class.json': '[{"objectId":"x"}]',
      '_Evil.json': '[{"objectId":"x"}]',
    })
    await symlink(join(folder, 'secret.json'), join(place, 'Linked.json'))
    const report = await runImport(await openParseExport(place))
    expect(countsOf(report)).toEqual({ _User: [4, 2, 0, 2], Odd: [7, 5, 0, 2], pg_class: [1, 1, 0, 0] })
    expect(report.leftOut).toContain('_Evil is not imported: a class cannot have this name here.')
    const sentences = report.notes.map(({ sentence }) => sentence).join('\n')
    for (const part of [
      'Odd.n is Number',
      'access lists',
      'characters that no database keeps',
      'bad name',
      'hashed in a way',
    ])
      expect(sentences).toContain(part)
    const one = async (id: string) => (await server.call('GET', `/classes/Odd/${id}`, undefined, { master: true })).body
    expect(await one('a1')).toMatchObject({ n: 1, deep: { ok: 1 } })
    expect(Object.keys((await one('a1')).deep as object)).toEqual(['ok'])
    expect(await one('a3')).toMatchObject({ text: 'nul \uFFFD and \uFFFD' })
    expect((await server.call('GET', '/classes/Odd/a2')).status).toBe(404)
    expect((await server.call('GET', '/classes/Odd/a4')).status).toBe(404)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    const { body: user } = await server.call('GET', '/users/u2', undefined, { master: true })
    expect(user).toMatchObject({ username: 'user-u2', ACL: { u2: { read: true, write: true } } })
    expect(user.email).toBeUndefined()
  })

  test('permissions that are not understood close the class', async () => {
    const place = await write('closed', {
      '_SCHEMA.json': JSON.stringify({
        results: [{ className: 'Closed', fields: {}, classLevelPermissions: { find: { '*': true, '%%': 3 } } }],
      }),
      'Closed.json': '[{"objectId":"c1"}]',
    })
    await runImport(await openParseExport(place))
    expect((await server.call('GET', '/classes/Closed')).body.results).toBeUndefined()
    const { body } = await server.call('GET', '/classes/Closed', undefined, { master: true })
    expect(body.results).toHaveLength(1)
  })

  test('a dry run writes nothing', async () => {
    const place = await write('dry', { 'Dry.json': '[{"objectId":"d1","n":1},{"objectId":"d2","n":"x"}]' })
    const report = await runImport(await openParseExport(place), { db: undefined })
    expect(countsOf(report)).toEqual({ Dry: [2, 2, 0, 0] })
    expect(report.notes.map(({ sentence }) => sentence)).toContain(
      'Dry.n is Number; values of another type were left out.',
    )
    expect((await server.call('GET', '/schemas/Dry', undefined, { master: true })).status).toBe(400)
  })

  test('a file that ends too early is refused, and goes on when it is whole', async () => {
    const place = await write('cut', { 'Cut.json': '[{"objectId":"c1"},{"objectId":"c' })
    await expect(openParseExport(place).then((source) => runImport(source))).rejects.toThrow('not whole')
    await write('cut', { 'Cut.json': '[{"objectId":"c1"},{"objectId":"c2"}]' })
    const report = await runImport(await openParseExport(place))
    expect(countsOf(report).Cut?.[0]).toBe(2)
    const { body } = await server.call('GET', '/classes/Cut?count=1&limit=0', undefined, { master: true })
    expect(body.count).toBe(2)
  })
})

test('live queries and webhooks hear nothing of an import', async () => {
  const { db } = server.context
  await db.query(sql`select countersign.record_class('Quiet', interval '1 hour')`)
  await server.call('POST', '/classes/Quiet', { n: 0 }, { master: true })
  await db.query(sql`
    insert into countersign.webhooks ("objectId", "createdAt", "updatedAt", url, events, secret)
    values ('w', now(), now(), 'https://example.org', '{object.created}', '')`)
  const count = async (table: string) =>
    (await db.query<{ count: number }>(sql`select count(*)::integer as count from countersign.${sql.id(table)}`))[0]
      ?.count
  const before = [await count('changes'), await count('events')]
  expect(before[0]).toBeGreaterThan(0)
  await mkdir(join(folder, 'quiet'))
  await writeFile(join(folder, 'quiet', 'Quiet.json'), '[{"objectId":"q1","n":1}]')
  await runImport(await openParseExport(join(folder, 'quiet')))
  expect([await count('changes'), await count('events')]).toEqual(before)
  await server.call('POST', '/classes/Quiet', { n: 2 }, { master: true })
  expect(await count('events')).toBe(Number(before[1]) + 1)
  await db.query(sql`delete from countersign.webhooks`)
})

test('CSV: types are guessed, and those that are named hold', async () => {
  const file = join(folder, 'people.csv')
  await writeFile(
    file,
    'name,age,member,born,zip,tags,owner\n"Ann, the first",31,true,1990-05-06,00123,"[1,2]",ada0000001\nBob,4.5,FALSE,1991-01-01T10:00:00Z,99999,,\n',
  )
  const source = await openTable({ file, kind: 'csv', className: 'Person', types: 'owner=Pointer<_User>' })
  expect(source.types).toEqual({
    name: { type: 'String' },
    age: { type: 'Number' },
    member: { type: 'Boolean' },
    born: { type: 'Date' },
    zip: { type: 'String' },
    tags: { type: 'Array' },
    owner: { type: 'Pointer', targetClass: '_User' },
  })
  await runImport(source)
  const { body } = await server.call('GET', '/classes/Person?order=name', undefined, { master: true })
  expect(body.results).toMatchObject([
    {
      name: 'Ann, the first',
      age: 31,
      member: true,
      born: { iso: '1990-05-06T00:00:00.000Z' },
      zip: '00123',
      tags: [1, 2],
      owner: { objectId: 'ada0000001' },
    },
    { name: 'Bob', age: 4.5, member: false },
  ])
  await expect(openTable({ file, kind: 'csv', className: 'Person', types: 'age:Number' })).rejects.toThrow('--types')
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
  const noted = await context.db.query<{ action: string }>(sql`
    select actor, action, details from countersign.audit
    where subject = ${`mongo ${join(dump, 'app')}`}
    order by id`)
  expect(noted).toEqual([
    { actor: 'operator', action: 'import.begin', details: {} },
    { actor: 'operator', action: 'import.end', details: { written: { Picture: 3 } } },
  ])
})
