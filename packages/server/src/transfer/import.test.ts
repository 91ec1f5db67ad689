import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { countsOf, createImports } from '../testing/transfer/createImports.ts'
import { TransferError } from './Source.ts'
import { openParseExport } from './sources/openDump.ts'
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

const { runImport } = createImports(() => server)

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

  test('hostile or odd data is left out and reported', async () => {
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
    expect(report.leftOut).toContain('_Evil is not imported: invalid class name.')
    const sentences = report.notes.map(({ sentence }) => sentence).join('\n')
    for (const part of [
      'Odd.n is Number',
      'access lists',
      'characters that cannot be stored',
      'bad name',
      'password hashes have an unknown format',
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

  test.each([
    ['Closed', { '*': true, '%%': 3 }],
    ['ClosedToIds', { '*': true, 'a\0b': true }],
    ['ClosedToRoles', { '*': true, 'role:\0': true }],
  ])('permissions that are not understood close the class: %s', async (className, find) => {
    const place = await write(className, {
      '_SCHEMA.json': JSON.stringify({ results: [{ className, fields: {}, classLevelPermissions: { find } }] }),
      [`${className}.json`]: '[{"objectId":"c1"}]',
    })
    await runImport(await openParseExport(place))
    expect((await server.call('GET', `/classes/${className}`)).body.results).toBeUndefined()
    const { body } = await server.call('GET', `/classes/${className}`, undefined, { master: true })
    expect(body.results).toHaveLength(1)
  })

  test('a dry run writes nothing', async () => {
    const place = await write('dry', { 'Dry.json': '[{"objectId":"d1","n":1},{"objectId":"d2","n":"x"}]' })
    const report = await runImport(await openParseExport(place), { db: undefined })
    expect(countsOf(report)).toEqual({ Dry: [2, 2, 0, 0] })
    expect(report.notes.map(({ sentence }) => sentence)).toContain(
      'Dry.n is Number; values of other types were not imported.',
    )
    expect((await server.call('GET', '/schemas/Dry', undefined, { master: true })).status).toBe(400)
  })

  test('a truncated file is refused, and continues when it is complete', async () => {
    const place = await write('cut', { 'Cut.json': '[{"objectId":"c1"},{"objectId":"c' })
    await expect(openParseExport(place).then((source) => runImport(source))).rejects.toThrow('incomplete')
    await write('cut', { 'Cut.json': '[{"objectId":"c1"},{"objectId":"c2"}]' })
    const report = await runImport(await openParseExport(place))
    expect(countsOf(report).Cut?.[0]).toBe(2)
    const { body } = await server.call('GET', '/classes/Cut?count=1&limit=0', undefined, { master: true })
    expect(body.count).toBe(2)
  })
})

test('live queries and webhooks receive nothing of an import', async () => {
  const { db } = server.context
  await db.query(sql`select countersign.record_class('Quiet', interval '1 hour')`)
  await server.call('POST', '/classes/Quiet', { n: 0 }, { master: true })
  await db.query(sql`insert into countersign.webhooks ("objectId", "createdAt", "updatedAt", url, events, secret)
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

test.each([
  ['name\nAda\nBo"b\n', 'line 3: a value with a quote inside must be in quotes'],
  ['name,age\n"Ada"x,36\n', 'line 2: a comma must follow a closing quote'],
  ['name\n"Ada\nBob\n', 'a quote is not closed before the end of the file'],
])('a CSV file with wrong quotes is refused by line: %j', async (text, reason) => {
  const file = join(folder, 'quotes.csv')
  await writeFile(file, text)
  const opening = openTable({ file, kind: 'csv', className: 'Person' })
  await expect(opening).rejects.toThrow(TransferError)
  await expect(opening).rejects.toThrow(reason)
})
