import type { WireFields } from '@countersign/protocol'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import type { Classes } from '../classes/createClasses.ts'
import { readConfig } from '../config/readConfig.ts'
import { type Condition, isMatchable } from '../queries/Condition.ts'
import { matches } from '../queries/matches.ts'
import type { QueryScope } from '../queries/QueryParser.ts'
import { readWhere } from '../queries/readWhere.ts'
import { anyObject } from '../testing/objects/fuzzValues.ts'
import { anyWhere } from '../testing/objects/fuzzWheres.ts'
import type { ClassSubscriptions, SubscriptionQuery } from './Live.ts'
import { createClassSubscriptions } from './matching/createClassSubscriptions.ts'
import { createIntervals } from './matching/createIntervals.ts'

const types: [string, FieldType['type']][] = [
  ['s', 'String'],
  ['n', 'Number'],
  ['b', 'Boolean'],
  ['o', 'Object'],
  ['l', 'Array'],
  ['d', 'Date'],
  ['g', 'GeoPoint'],
  ['q', 'Polygon'],
  ['f', 'File'],
  ['y', 'Bytes'],
]
const fields = new Map<string, FieldType>(types.map(([name, type]) => [name, { type }]))
fields.set('p', { type: 'Pointer', targetClass: 'Other' })
const schema: ClassSchema = { className: 'Fuzz', fields, relations: new Map(), indexes: new Map(), version: 1 }
let scope: QueryScope
beforeAll(async () => {
  const config = await readConfig({ environment: {}, folder: '/nonexistent', flags: {} })
  // Questions about other classes are refused before they come here, so there are none.
  const classes = { find: () => undefined } as unknown as Classes
  scope = { classes, config, access: { isMaster: true, entities: ['*'] }, now: new Date('2024-01-01T00:00:00.000Z') }
})

const query = (key: string, condition: Condition): SubscriptionQuery => ({
  key,
  className: 'Fuzz',
  where: {},
  watch: undefined,
  operation: 'find',
  condition,
  groups: new Map(),
  askedAt: new Date(0),
  entries: undefined,
})
const read = (where: object) => readWhere(scope, schema, where)
const found = (classSubscriptions: ClassSubscriptions, before: WireFields | undefined, after: WireFields | undefined) =>
  [...classSubscriptions.candidates(before, after)].map(({ key }) => key).sort()

test('the index leaves out no query that matches an object, for any query', () => {
  const conditions: Condition[] = []
  const scalars = fc.record({
    s: fc.constantFrom('a', 'b', ''),
    n: fc.constantFrom(0, -0, 1),
    b: fc.boolean(),
    l: fc.constantFrom('a', 1, true),
  })
  const plain = fc
    .tuple(scalars, fc.subarray(['s', 'n', 'b', 'l'], { minLength: 1 }))
    .map(([all, names]) => Object.fromEntries(names.map((name) => [name, Reflect.get(all, name)])))
  for (const where of [
    ...fc.sample(anyWhere, { numRuns: 800, seed: 1 }),
    ...fc.sample(plain, { numRuns: 500, seed: 1 }),
  ]) {
    try {
      const condition = read(where)
      if (isMatchable(condition)) conditions.push(condition)
    } catch {
      // Refused, as it would be at the subscription.
    }
  }
  const classSubscriptions = createClassSubscriptions(schema)
  const queries = conditions.map((condition, index) => query(String(index), condition))
  for (const one of queries) classSubscriptions.add(one)
  let indexed = 0
  for (const one of queries) if (one.entries) indexed++
  expect(indexed).toBeGreaterThan(600)
  let hits = 0
  for (const object of fc.sample(anyObject, { numRuns: 150, seed: 2 })) {
    const candidates = new Set(classSubscriptions.candidates(undefined, object))
    for (const one of queries) {
      if (!matches(one.condition, object)) continue
      hits++
      if (!candidates.has(one)) throw new Error(`${JSON.stringify(one.condition)} misses ${JSON.stringify(object)}`)
    }
  }
  expect(hits).toBeGreaterThan(500)
  for (const one of queries) classSubscriptions.remove(one)
  expect([...classSubscriptions.candidates(undefined, { s: 'a', n: 1 })]).toEqual([])
})

test('an event touches only the queries that its values lead to', () => {
  const classSubscriptions = createClassSubscriptions(schema)
  for (let n = 0; n < 1000; n++) classSubscriptions.add(query(`n${n}`, read({ n, s: 'same' })))
  classSubscriptions.add(query('in', read({ s: { $in: ['x', 'y'] } })))
  classSubscriptions.add(query('list', read({ l: 'tag' })))
  classSubscriptions.add(query('pointer', read({ p: { __type: 'Pointer', className: 'Other', objectId: 'one' } })))
  classSubscriptions.add(query('rest', read({ n: { $ne: 5 } })))
  // Nearly all stand at their number: so many have the same text.
  expect(found(classSubscriptions, undefined, { n: 7000, s: 'same' }).length).toBeLessThan(10)
  expect(found(classSubscriptions, undefined, { n: 7000, s: 'other' })).toEqual(['rest'])
  expect(found(classSubscriptions, { s: 'x' }, { s: 'z' })).toEqual(['in', 'rest'])
  expect(found(classSubscriptions, undefined, { l: ['a', 'tag'] })).toEqual(['list', 'rest'])
  const p = { __type: 'Pointer', className: 'Other', objectId: 'one' } as const
  expect(found(classSubscriptions, { p }, undefined)).toEqual(['pointer', 'rest'])
})

const point = (latitude: number, longitude: number) => ({ __type: 'GeoPoint', latitude, longitude }) as const

const day = (iso: string) => ({ __type: 'Date', iso }) as const

test.each<[string, object, WireFields, WireFields]>([
  ['a range', { n: { $gte: 10, $lt: 20 } }, { n: 12 }, { n: 25 }],
  ['two conditions on one number', { $and: [{ n: { $gt: 1 } }, { n: { $lt: 9 } }] }, { n: 5 }, { n: 12 }],
  ['an open range', { n: { $gt: 10 } }, { n: 11 }, { n: 9 }],
  [
    'a range of times',
    { d: { $gt: day('2026-01-01T00:00:00.000Z') } },
    { d: day('2026-01-02T00:00:00.000Z') },
    { d: day('2025-01-02T00:00:00.000Z') },
  ],
  [
    'a time of the server',
    { createdAt: { $lt: day('2026-01-01T00:00:00.000Z') } },
    { createdAt: '2025-05-05T00:00:00.000Z' },
    { createdAt: '2026-05-05T00:00:00.000Z' },
  ],
  [
    'a day',
    { d: day('2026-01-01T00:00:00.000Z') },
    { d: day('2026-01-01T00:00:00.000Z') },
    { d: day('2026-01-01T00:00:00.001Z') },
  ],
  ['a range of texts', { s: { $gte: 'b', $lt: 'd' } }, { s: 'cat' }, { s: 'dog' }],
  ['texts beyond the first plane', { s: { $gte: '\uffee' } }, { s: '😀' }, { s: 'z' }],
  ['a range of elements', { l: { $gt: 10, $lt: 3 } }, { l: [1, 20] }, { l: [5, 6, 'x', null] }],
  ['a range at a path', { 'o.a': { $gt: 5 } }, { o: { a: [1, 6] } }, { o: { a: '6' } }],
  [
    'a time in JSON',
    { 'o.a': { $gt: day('2026-01-01T00:00:00.000Z') } },
    { o: { a: day('2026-01-02T00:00:00.000Z') } },
    { o: { a: '2026-01-02T00:00:00.000Z' } },
  ],
  ['equality at a path', { 'o.a': 'x' }, { o: { a: ['y', 'x'] } }, { o: { a: 'y' } }],
  ['a beginning', { s: { $regex: '^\\Qab\\E' } }, { s: 'abc' }, { s: 'bab' }],
  ['a beginning before a pattern', { s: { $regex: '^ab[cd]+$' } }, { s: 'abcd' }, { s: 'xab' }],
  ['one of two beginnings', { s: { $regex: '^ab.|^(xy).' } }, { s: 'xyz' }, { s: 'abc'.slice(1) }],
  ['a whole text', { s: { $regex: '^ab$' } }, { s: 'ab' }, { s: 'abc' }],
  ['a long beginning', { s: { $regex: `^${'😀'.repeat(50)}` } }, { s: '😀'.repeat(60) }, { s: '😀'.repeat(20) }],
  ['a beginning in any case', { s: { $regex: '^aB1c', $options: 'i' } }, { s: 'Ab1CD' }, { s: 'Ab2CD' }],
  [
    'a distance',
    { g: { $nearSphere: point(50, 10), $maxDistanceInKilometers: 5 } },
    { g: point(50.02, 10.02) },
    { g: point(50.2, 10.2) },
  ],
  [
    'a distance across the date line',
    { g: { $nearSphere: point(10, 179.99), $maxDistanceInKilometers: 5 } },
    { g: point(10, -179.99) },
    { g: point(10, 179.5) },
  ],
  [
    'a distance around a pole',
    { g: { $nearSphere: point(89.99, 0), $maxDistanceInKilometers: 5 } },
    { g: point(89.99, 180) },
    { g: point(10, 0) },
  ],
  ['a box', { g: { $within: { $box: [point(1, 1), point(2, 2)] } } }, { g: point(1.5, 2) }, { g: point(1.5, 40) }],
  [
    'a polygon',
    { g: { $geoWithin: { $polygon: [point(0, 0), point(0, 1), point(1, 1), point(1, 0)] } } },
    { g: point(1, 0.5) },
    { g: point(-30, 0.5) },
  ],
  [
    'alternatives',
    { $or: [{ n: { $gt: 100 } }, { s: 'a' }, { s: { $regex: '^zz' } }] },
    { n: 1, s: 'zzz' },
    { n: 1, s: 'b' },
  ],
  ['alternatives inside a conjunction', { $or: [{ n: 1 }, { n: 2 }], b: true }, { n: 2, b: true }, { n: 3, b: true }],
])('finds by index: %s', (_title, where, matching, other) => {
  const classSubscriptions = createClassSubscriptions(schema)
  const one = query('one', read(where))
  classSubscriptions.add(one)
  expect(matches(one.condition, matching)).toBe(true)
  expect(matches(one.condition, other)).toBe(false)
  expect(found(classSubscriptions, undefined, matching)).toEqual(['one'])
  expect(found(classSubscriptions, undefined, other)).toEqual([])
  // An object that enters, and one that leaves.
  expect(found(classSubscriptions, other, matching)).toEqual(['one'])
  expect(found(classSubscriptions, matching, other)).toEqual(['one'])
  expect(found(classSubscriptions, matching, undefined)).toEqual(['one'])
  expect(found(classSubscriptions, {}, Object.fromEntries(Object.keys(matching).map((name) => [name, null])))).toEqual(
    [],
  )
  classSubscriptions.remove(one)
  expect(classSubscriptions.indexedPlaces).toBe(0)
})

test.each<[string, object, WireFields]>([
  ['a present field', { g: { $exists: true } }, { g: point(1, 1) }],
  ['a present value inside JSON', { 'o.a': { $exists: true } }, { o: { a: 1 } }],
  ['any distance', { g: { $nearSphere: point(50, 10) } }, { g: point(-50, 10) }],
  ['an absent field', { n: { $exists: false } }, { s: 'a' }],
])('finds by index: %s', (_title, where, matching) => {
  const other = { n: 0 }
  const classSubscriptions = createClassSubscriptions(schema)
  classSubscriptions.add(query('one', read(where)))
  expect(found(classSubscriptions, undefined, matching)).toEqual(['one'])
  expect(found(classSubscriptions, undefined, other)).toEqual([])
  expect(found(classSubscriptions, other, matching)).toEqual(['one'])
  expect(found(classSubscriptions, matching, other)).toEqual(['one'])
})

test('a document leads to the areas around it alone', () => {
  const classSubscriptions = createClassSubscriptions(schema)
  for (let n = 0; n < 1_000; n++) {
    const center = point(-45 + n * 0.09, -170 + n * 0.34)
    const where = { g: { $nearSphere: center, $maxDistanceInKilometers: 2 } }
    classSubscriptions.add(query(`near${n}`, read(where)))
    classSubscriptions.add(query(`name${n}`, read({ s: { $regex: `^Player${n}x`, $options: 'i' } })))
  }
  const [near, ...others] = found(classSubscriptions, undefined, { g: point(0, 0), s: 'PLAYER77X' })
  expect([near, others]).toEqual(['name77', ['near500']])
})

test.each<[string, object]>([
  ['a pattern that may begin anywhere', { s: { $regex: 'ab' } }],
  ['a beginning of any line', { s: { $regex: '^ab', $options: 'm' } }],
  ['a letter that has several small forms', { s: { $regex: '^σ', $options: 'i' } }],
  ['a polygon around a point', { q: { $geoIntersects: { $point: point(1, 1) } } }],
  ['a beginning that may be missing', { s: { $regex: '^(ab)?c' } }],
  ['one alternative without a beginning', { s: { $regex: '^ab|c.' } }],
  ['a negation', { n: { $ne: 5 } }],
  ['an absent value inside JSON', { 'o.a': { $exists: false } }],
  ['an alternative that nothing tells', { $or: [{ n: 1 }, { s: { $ne: 'a' } }] }],
  ['very many values', { n: { $in: Array.from({ length: 101 }, (_, index) => index) } }],
])('evaluates for every change: %s', (_title, where) => {
  const classSubscriptions = createClassSubscriptions(schema)
  classSubscriptions.add(query('one', read(where)))
  expect(found(classSubscriptions, undefined, { b: true })).toEqual(['one'])
})

/** Values that meet often, at the edges of ranges. */
const edge = fc.constantFrom(-1e308, -1, -0, 0, 0.5, 1, 2, 3, 1e21)
const letters = fc.constantFrom('', 'a', 'ab', 'aB', 'ABC', 'b', 'é', 'É', '\u212a', '😀', '😀A', '\uffee')
const bound = fc.oneof(
  edge,
  letters,
  fc.boolean(),
  fc.constantFrom(day('2020-02-29T12:00:00.000Z'), day('2038-01-19T03:14:08.123Z')),
)
const target = fc.constantFrom('n', 's', 'd', 'l', 'o.a', 'o.a.b', 'l.a', 'b', 'createdAt')
const range = fc
  .tuple(
    target,
    fc.subarray(['$gt', '$gte', '$lt', '$lte', '$eq'], { minLength: 1, maxLength: 3 }),
    fc.array(bound, { minLength: 3, maxLength: 3 }),
  )
  .map(([name, operators, bounds]) => ({
    [name]: Object.fromEntries(operators.map((operator, index) => [operator, bounds[index]])),
  }))
const beginning = fc
  .tuple(
    fc.constantFrom('s', 'o.a', 'l'),
    fc.constantFrom('^a', '^ab.*', '^ab|^b', '^(a)b', '^😀', '^a?b', '^a$', '^[ab]', '^'),
  )
  .map(([name, $regex]) => ({ [name]: { $regex } }))
const coordinates = fc.tuple(
  fc.oneof(fc.constantFrom(-90, -89.9999, 0, 45, 90), fc.double({ min: -90, max: 90, noNaN: true })),
  fc.oneof(fc.constantFrom(-180, -179.9999, 0, 179.9999, 180), fc.double({ min: -180, max: 180, noNaN: true })),
)
const place = coordinates.map(([latitude, longitude]) => point(latitude, longitude))
const area = fc.oneof(
  fc
    .tuple(place, fc.constantFrom(0, 0.001, 1, 50, 2_000, 12_000, 40_000))
    .map(([$nearSphere, $maxDistanceInKilometers]) => ({ g: { $nearSphere, $maxDistanceInKilometers } })),
  fc.tuple(place, place).map(($box) => ({ g: { $within: { $box } } })),
  fc.array(place, { minLength: 3, maxLength: 5 }).map(($polygon) => ({ g: { $geoWithin: { $polygon } } })),
)
const caseless = fc
  .tuple(fc.constantFrom('s', 'o.a', 'l'), fc.constantFrom('^A', '^aB', '^é', '^K', '^😀a', '^a|^B', '^[aA]b'))
  .map(([name, $regex]) => ({ [name]: { $regex, $options: 'i' } }))
const presence = fc
  .tuple(fc.constantFrom('n', 's', 'o.a', 'l', 'g'), fc.boolean())
  .map(([name, $exists]) => ({ [name]: { $exists } }))
const combined = fc
  .tuple(
    fc.constantFrom('$or', '$and'),
    fc.array(fc.oneof(range, beginning, caseless, presence, area, anyWhere), { minLength: 2, maxLength: 4 }),
  )
  .map(([operator, parts]) => ({ [operator]: parts }))
const state = fc
  .tuple(
    anyObject,
    fc.record(
      {
        n: edge,
        s: letters,
        createdAt: fc.constant('2020-02-29T12:00:00.000Z'),
        g: place,
        l: fc.array(bound, { maxLength: 4 }),
        o: fc.record({ a: fc.oneof(bound, fc.array(bound, { maxLength: 3 })) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([base, own]) => ({ ...base, ...own }) as WireFields)

test('index and linear evaluation agree, whatever comes and goes', () => {
  const compiled = fc
    .sample(fc.oneof(range, beginning, caseless, presence, area, combined, anyWhere), { numRuns: 3000, seed: 3 })
    .flatMap((where) => {
      try {
        const condition = read(where)
        return isMatchable(condition) ? [condition] : []
      } catch {
        return []
      }
    })
  const states = fc.sample(state, { numRuns: 1500, seed: 4 })
  const steps = fc.sample(fc.integer({ min: 0, max: 1e9 }), { numRuns: 4000, seed: 5 })
  const classSubscriptions = createClassSubscriptions(schema)
  const standing: SubscriptionQuery[] = []
  let [hits, skipped, next] = [0, 0, 0]
  for (const step of steps) {
    const kind = step % 4
    if (kind <= 1 && next < compiled.length) {
      const one = query(`q${next}`, compiled[next++] as Condition)
      classSubscriptions.add(one)
      standing.push(one)
    } else if (kind === 2) {
      const [one] = standing.splice(step % standing.length, 1)
      if (one) classSubscriptions.remove(one)
    } else {
      const before = step % 5 === 0 ? undefined : states[step % states.length]
      const after = step % 7 === 0 ? undefined : states[(step >> 3) % states.length]
      const matching = (list: Iterable<SubscriptionQuery>) =>
        [...list]
          .filter(({ condition }) => (before && matches(condition, before)) || (after && matches(condition, after)))
          .map(({ key }) => key)
          .sort()
      const candidates = [...classSubscriptions.candidates(before, after)]
      const linear = matching(standing)
      expect(matching(candidates)).toEqual(linear)
      hits += linear.length
      skipped += standing.length - candidates.length
    }
  }
  expect(hits).toBeGreaterThan(5_000)
  expect(skipped).toBeGreaterThan(5_000)
  for (const one of standing.reverse()) classSubscriptions.remove(one)
  expect([classSubscriptions.indexedPlaces, [...classSubscriptions.candidates({}, { n: 1 })]]).toEqual([0, []])
})

test('ranges in any order, with equal ones and no ends, are found and removed', () => {
  const end = fc.oneof(
    fc.constant(undefined),
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  )
  const interval = fc.record({ low: end, high: end })
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 40 }), (given, removed) => {
      const intervals = createIntervals<number, string>((one, other) => (one < other ? -1 : one > other ? 1 : 0))
      const known = new Map(given.map((one) => [`${one.low} ${one.high}`, one]))
      for (const one of given) intervals.set(one, `${one.low} ${one.high}`)
      for (const place of removed) {
        const one = given[place % Math.max(given.length, 1)]
        if (!one) continue
        intervals.delete(one)
        known.delete(`${one.low} ${one.high}`)
      }
      expect(intervals.size).toBe(known.size)
      for (const point of [-Infinity, -10, -9, 0, 3, 9, 10, Infinity]) {
        const visited: string[] = []
        intervals.visit(point, (item) => visited.push(item))
        const within = [...known].filter(
          ([, { low, high }]) => (low ?? -Infinity) <= point && (high ?? Infinity) >= point,
        )
        expect(visited.sort()).toEqual(within.map(([key]) => key).sort())
      }
    }),
  )
})

test('ranges that come sorted, as an attacker sends them, make no deep tree', () => {
  let compared = 0
  const intervals = createIntervals<number, number>((one, other) => {
    compared++
    return one - other
  })
  for (let low = 0; low < 100_000; low++) intervals.set({ low, high: low + 1 }, low)
  compared = 0
  const visited: number[] = []
  intervals.visit(50_000, (item) => visited.push(item))
  expect(visited.sort()).toEqual([49_999, 50_000])
  expect(compared).toBeLessThan(500)
  for (let low = 0; low < 100_000; low++) intervals.delete({ low, high: low + 1 })
  expect(intervals.size).toBe(0)
})

test('a query whose condition was read again is found by the new one', () => {
  const classSubscriptions = createClassSubscriptions(schema)
  const one = query('one', read({ s: 'a' }))
  classSubscriptions.add(one)
  one.condition = read({ s: 'b' })
  classSubscriptions.replace(one)
  expect([found(classSubscriptions, undefined, { s: 'a' }), found(classSubscriptions, undefined, { s: 'b' })]).toEqual([
    [],
    ['one'],
  ])
})
