import type { WireFields, WireValue } from '@countersign/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptySchema } from '../../classes/ClassSchema.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { transcribeRows } from './transcribeRows.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 120)

const master = { master: true }
const letters = fc.string({
  unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', '[', ']', ':', '\n', '\t', '\u0001', 'ß', '😀', 'File', 'null'),
})
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0 || 0)
const stored = `${'0123456789abcdef'.repeat(2)}_cat.png`
const file = fc
  .record({
    name: fc.constantFrom(stored, 'cat.png'),
    url: fc.constantFrom('https://a.example/b', 'javascript:alert(1)'),
  })
  .map(({ name, url }): WireValue => ({ __type: 'File', name, url }))
const { tree } = fc.letrec<{ tree: WireValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    letters,
    number,
    fc.boolean(),
    fc.constant(null),
    file,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '1', 'toString', 'x y'), tie('tree'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ) as fc.Arbitrary<WireValue>,
}))
const date = fc
  .oneof(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc
      .constantFrom('2020-01-01T00:00:00.100Z', '2020-01-01T00:00:00.120Z', '2020-01-01T00:00:00.000Z')
      .map((text) => new Date(text)),
    fc.constantFrom('+010000-01-01T00:00:00.120Z', '+012345-01-01T00:00:00.000Z').map((text) => new Date(text)),
  )
  .map((value): WireValue => ({ __type: 'Date', iso: value.toISOString() }))
const entity = fc.constantFrom('*', 'user1', 'role:Admin', 'role:__proto__')
const right = fc.constantFrom({ read: true }, { write: true }, { read: true, write: true })
const orNull = (value: fc.Arbitrary<WireValue>) =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })

const object = fc.record(
  {
    text: orNull(letters),
    size: orNull(number),
    flag: orNull(fc.boolean()),
    at: orNull(date),
    list: orNull(fc.array(tree, { maxLength: 3 })),
    map: orNull(fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tree, { maxKeys: 3, noNullPrototype: true })),
    picture: orNull(file),
    friend: orNull(
      fc.constantFrom('id1', 'i"d').map((objectId) => ({ __type: 'Pointer', className: 'Other', objectId })),
    ),
    bytes: orNull(
      fc
        .uint8Array({ maxLength: 9 })
        .map((bytes) => ({ __type: 'Bytes', base64: Buffer.from(bytes).toString('base64') })),
    ),
    place: orNull(
      fc
        .tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
        .map(([latitude, longitude]) => ({ __type: 'GeoPoint', latitude: latitude || 0, longitude: longitude || 0 })),
    ),
    area: orNull(
      fc.constant({
        __type: 'Polygon',
        coordinates: [
          [0, 0],
          [0, 1.5],
          [1, 1],
        ],
      }),
    ),
    groups: fc.constant({ __op: 'AddRelation', objects: [{ __type: 'Pointer', className: 'Other', objectId: 'id1' }] }),
    toString: orNull(letters),
    owner: fc.constant('ann'),
    ACL: fc.dictionary(entity, right as fc.Arbitrary<WireValue>, { maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<WireFields>

const rules: [string, object][] = [
  ['Open', {}],
  ['Hiding', { protectedFields: { '*': ['text', 'map'] } }],
  ['HidingNothing', { protectedFields: { '*': [] } }],
  ['Owned', { protectedFields: { '*': ['text', 'list'], 'userField:owner': [] } }],
  ['Pointing', { readUserFields: ['owner'] }],
]

let ann: { objectId: string; token: string }
const server = serveTests()
beforeAll(async () => {
  ann = await server.signUp('ann')
  const objects = fc.sample(object, { seed, numRuns: runs })
  for (const [className, permissions] of rules) {
    const everyone = { '*': true }
    const rights = { find: everyone, get: everyone, count: everyone, create: everyone, addField: everyone }
    const isPointing = className === 'Pointing'
    await server.call(
      'POST',
      `/schemas/${className}`,
      {
        className,
        fields: { owner: { type: 'Pointer', targetClass: '_User' } },
        classLevelPermissions: isPointing
          ? { ...rights, find: {}, get: {}, ...permissions }
          : { ...rights, ...permissions },
      },
      master,
    )
    for (let from = 0; from < objects.length; from += 40) {
      const requests = objects.slice(from, from + 40).map((body) => ({
        method: 'POST',
        path: `/server/classes/${className}`,
        body:
          'owner' in body
            ? { ...body, owner: { __type: 'Pointer', className: '_User', objectId: ann.objectId } }
            : body,
      }))
      const { body } = await server.call('POST', '/batch', { requests }, master)
      for (const part of body as unknown as { success?: object }[]) expect(part).toHaveProperty('success')
    }
  }
})

describe.each(rules.map(([className]) => className))('class %s', (className) => {
  const callers = { guest: () => ({}), user: () => ({ token: ann.token }), master: () => master }

  test.each(Object.entries(callers))('the text for a %s says what the objects say', async (_name, caller) => {
    const path = `/classes/${className}?limit=1000&order=objectId`
    const written = await server.call('GET', path, undefined, caller())
    // A query by pages reads and writes its objects one by one.
    const made = await server.call('GET', `${path}&cursor=true`, undefined, caller())
    expect(written.status).toBe(made.status)
    expect(written.body.results).toEqual(made.body.results)
    const found = (written.body.results ?? []) as WireFields[]
    for (const { objectId } of found.slice(0, 10)) {
      const one = await server.call('GET', `/classes/${className}/${objectId}`, undefined, caller())
      const other = await server.call('GET', `/classes/${className}/${objectId}?excludeKeys=none`, undefined, caller())
      expect(one.body).toEqual(other.body)
    }
  })
})

test('the text of the database is passed on where nothing is hidden', async () => {
  await server.call('POST', '/classes/Passed', { list: [1, 2], text: 'a' })
  const open = await server.call('GET', '/classes/Passed')
  expect(open.text).toContain('[1, 2]')
  const counted = await server.call('GET', '/classes/Passed?count=1')
  expect(counted.body).toEqual({ results: open.body.results, count: 1 })
})

test('an object that is not there is not found', async () => {
  const { status, body } = await server.call('GET', '/classes/Passed/none')
  expect({ status, code: body.code }).toEqual({ status: 404, code: 101 })
})

test('rows in another form are left to the other way', () => {
  const host = { config: { mount: '/server' }, publicUrl: 'http://localhost', keys: { appId: 'a' } }
  const schema = { ...emptySchema('Form'), fields: new Map([['a', { type: 'String' as const }]]) }
  const time = '"2020-01-01T00:00:00+00:00"'
  const base = `"objectId":"x","createdAt":${time},"updatedAt":${time},"_rperm":null,"_wperm":null,"_nulls":null`
  const whole = `{"objectId":"x","createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-01T00:00:00.000Z"`
  expect(transcribeRows(host, schema, `[{${base},"a":"b"}]`)).toBe(`[${whole},"a":"b"}]`)
  expect(transcribeRows(host, schema, `[{${base},"a":null}, \n {${base}}]`)).toBe(`[${whole}},${whole}}]`)
  for (const other of [
    `[{${base},"b":1}]`,
    `[{${base},"a":"b}]`,
    `[{${base},"a":[}]`,
    `[{"a":"b",${base}}]`,
    `[{${base}}`,
    '[1]',
    '',
  ])
    expect(transcribeRows(host, schema, other)).toBeUndefined()
})
