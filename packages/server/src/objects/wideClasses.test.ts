import type { WireFields } from '@countersign/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../db/Statement.ts'
import { compile, type Fragment } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

const own = {
  text: { type: 'String' },
  number: { type: 'Number' },
  flag: { type: 'Boolean' },
  day: { type: 'Date' },
  map: { type: 'Object' },
  list: { type: 'Array' },
  point: { type: 'GeoPoint' },
  area: { type: 'Polygon' },
  bytes: { type: 'Bytes' },
  file: { type: 'File' },
  owner: { type: 'Pointer', targetClass: '_User' },
  friends: { type: 'Relation', targetClass: '_User' },
  emptied: { type: 'String' },
}
const empty = Object.fromEntries(Array.from({ length: 480 }, (_, number) => [`empty${number}`, { type: 'String' }]))

let server: TestServer
let reader: { objectId: string; token: string }

beforeAll(async () => {
  server = await createTestServer()
  reader = await server.signUp('reader')
  for (const [className, fields] of [
    ['Narrow', own],
    ['Wide', { ...own, ...empty }],
  ] as const) {
    const { status, text } = await server.call('POST', `/schemas/${className}`, { className, fields }, { master: true })
    expect(status, text).toBe(200)
    for (const object of objects()) {
      const { status: saved, text: answer } = await server.call('POST', `/classes/${className}`, object, {
        master: true,
      })
      expect(saved, answer).toBe(201)
    }
  }
})
afterAll(() => server.stop())

function objects(): object[] {
  const whole = {
    text: `a "quoted" 'text' \\ with\nlines 😀`,
    number: -0.1,
    flag: false,
    day: { __type: 'Date', iso: '2020-02-29T12:00:00.001Z' },
    map: { a: null, b: [null, { c: null }], 'd"': '' },
    list: [null, { a: null }, 1],
    point: { __type: 'GeoPoint', latitude: 10, longitude: -20 },
    area: {
      __type: 'Polygon',
      coordinates: [
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    },
    bytes: { __type: 'Bytes', base64: 'AQID' },
    file: { __type: 'File', name: 'one.txt' },
    owner: { __type: 'Pointer', className: '_User', objectId: reader.objectId },
    emptied: null,
    ACL: { [reader.objectId]: { read: true, write: true } },
  }
  return [whole, { number: 2 }, { text: '', number: 1e21 }, { map: {}, list: [], number: 3 }, {}]
}

const inputs: [string, object][] = [
  ['everything', { order: 'number' }],
  ['in an order, with a page skipped', { order: '-number', skip: 1, limit: 2 }],
  ['chosen fields', { order: 'number', keys: 'map,number,emptied' }],
  ['included objects', { order: 'number', include: 'owner', keys: 'owner' }],
  ['counted', { order: 'number', count: 1, limit: 1 }],
  [
    'by text, with the score',
    { where: { text: { $text: { $search: { $term: 'quoted' } } } }, order: '$score', keys: '$score' },
  ],
]

/** Without ids and times, which differ between the two classes. */
const plain = (found: WireFields[]) =>
  found.map(({ objectId: _id, createdAt: _created, updatedAt: _updated, ...rest }) => ({ ...rest }))

const find = async (className: string, input: object, auth: { token?: string; master?: boolean }) => {
  const { status, body, text } = await server.call('POST', `/classes/${className}`, { _method: 'GET', ...input }, auth)
  expect(status, text).toBe(200)
  return body as { results: WireFields[]; count?: number; cursor?: string }
}

test.each(inputs)('reads a class of 500 fields like a narrow one: %s', async (_title, input) => {
  for (const auth of [{ master: true }, { token: reader.token }, {}]) {
    const [wide, narrow] = [await find('Wide', input, auth), await find('Narrow', input, auth)]
    expect(plain(wide.results)).toEqual(plain(narrow.results))
    expect(wide.count).toBe(narrow.count)
  }
  expect((await find('Wide', {}, { master: true })).results).toHaveLength(5)
})

test('pages by cursor are the same', async () => {
  const walk = async (className: string) => {
    const found: WireFields[] = []
    let cursor: string | true | undefined = true
    while (cursor !== undefined) {
      const page: Awaited<ReturnType<typeof find>> = await find(
        className,
        { order: 'number', limit: 2, cursor },
        { master: true },
      )
      found.push(...page.results)
      cursor = page.cursor
    }
    return plain(found)
      .map((object) => JSON.stringify(object))
      .sort()
  }
  const wide = await walk('Wide')
  expect(wide).toHaveLength(5)
  expect(wide).toEqual(await walk('Narrow'))
})

test('one object is the same', async () => {
  const get = async (className: string) => {
    const [first] = (await find(className, { where: { flag: false } }, { master: true })).results
    const { body } = await server.call('GET', `/classes/${className}/${first?.objectId}`, undefined, {
      token: reader.token,
    })
    return plain([body as WireFields])
  }
  expect(await get('Wide')).toEqual(await get('Narrow'))
})

test('empty columns do not travel', async () => {
  const { db } = server.context
  const { query } = db
  const sent: number[] = []
  db.query = async <Row>(given: Fragment | Statement) => {
    const rows = await query<Row>(given)
    if (compile(given as Fragment).text.includes('json_agg')) sent.push(JSON.stringify(rows).length)
    return rows
  }
  await find('Wide', { where: { number: 2 } }, { master: true })
  db.query = query
  expect(sent).toHaveLength(1)
  expect(sent[0]).toBeLessThan(400)
})
