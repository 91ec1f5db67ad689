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
import { createClassSubscriptions } from './matching/matchChange.ts'

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
  place: undefined,
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
  for (const one of queries) if (one.place) indexed++
  expect(indexed).toBeGreaterThan(250)
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
  classSubscriptions.add(query('rest', read({ n: { $gt: 5 } })))
  // The text is the same in all of them; of two equalities the more selective one is chosen by type alone.
  expect(found(classSubscriptions, undefined, { n: 7, s: 'other' })).toEqual(['rest'])
  expect(found(classSubscriptions, { s: 'x' }, { s: 'z' })).toEqual(['in', 'rest'])
  expect(found(classSubscriptions, undefined, { l: ['a', 'tag'] })).toEqual(['list', 'rest'])
  const p = { __type: 'Pointer', className: 'Other', objectId: 'one' } as const
  expect(found(classSubscriptions, { p }, undefined)).toEqual(['pointer', 'rest'])
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
