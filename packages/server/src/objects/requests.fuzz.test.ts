import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { CountersignError } from '@countersign/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sameValue } from '../classes/sameValue.ts'
import type { Caller } from '../context/Caller.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { anyObject, anyValue } from '../testing/fuzzValues.ts'
import { anyWhere } from '../testing/fuzzWheres.ts'
import { getObject } from './getObject.ts'
import { updateObject } from './updateObject.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 300)

/** What PostgreSQL, the driver or a stack would say. */
const leaks =
  /syntax error|relation "|column "|operator does not exist|violates|invalid input syntax|out of range for|pg_|public\."|\bat .*\.[jt]s:\d|node_modules|jsonb|::text|SQLSTATE/

let server: TestServer
let token: string
beforeAll(async () => {
  server = await createTestServer()
  token = (await server.signUp('fuzzer')).token
  await post('/batch', {
    requests: fc
      .sample(anyObject, { numRuns: 30, seed })
      .map((body) => ({ method: 'POST', path: '/server/classes/Fuzz', body })),
  })
})
afterAll(() => server.stop())

/** What a failure of ours was, for whoever reads a failed run. */
const failure = () => server.logs.findLast((line) => line.includes('request failed')) ?? ''

const post = (path: string, body: unknown) => server.call('POST', path, body, { token })

const name = fc.oneof(
  fc.constantFrom('s', 'n', 'b', 'd', 'p', 'g', 'o', 'l', 'o.a', 'o.a.b', 'l.0', 'o.', 'r', 'fresh'),
  fc.constantFrom(
    'x"',
    "a'b",
    '',
    '.',
    '$a',
    '_rperm',
    'ACL',
    '__proto__',
    'constructor',
    'length',
    'className',
    'objectId',
    'id',
    'createdAt',
    'a b',
    'é',
    '\'; drop table "Fuzz"; --',
    'o.$x',
    'o."',
    'x'.repeat(70),
  ),
)
const operation = fc.oneof(
  anyValue,
  fc
    .record(
      {
        __op: fc.constantFrom(
          'Increment',
          'Add',
          'AddUnique',
          'Remove',
          'Delete',
          'AddRelation',
          'RemoveRelation',
          'SetOnInsert',
          'Batch',
          'Nope',
          '__proto__',
          'constructor',
        ),
        amount: anyValue,
        objects: fc.oneof(fc.array(anyValue, { maxLength: 3 }), anyValue),
        ops: fc.array(anyValue, { maxLength: 2 }),
      },
      { requiredKeys: ['__op'] },
    )
    .map((made) => made as WireValue),
  fc.constantFrom<WireValue>({ $set: 1 }, { 'a.b': 1 }, { __type: 'Nope' }, { __type: 'Date', iso: 'x' }, {
    __type: 'GeoPoint',
    latitude: 'x',
    longitude: 0,
  } as never),
)
// A prohibited name would have the whole batch refused, before any of it is looked at.
const writeName = name.filter((field) => field !== '__proto__' && field !== 'constructor')
const changes = fc
  .array(fc.tuple(writeName, operation), { minLength: 1, maxLength: 3 })
  .map((entries) => Object.fromEntries(entries) as WireChanges)

describe('never a 500, never SQL in an answer', () => {
  test(`${runs} random queries over HTTP`, { timeout: 60_000 }, async () => {
    const names = fc.oneof(name, fc.constantFrom('-n', '*', '$score', 'o.a,l', 'p', '-createdAt,s'))
    const parameter = fc.oneof(
      names.map((order) => ({ order })),
      names.map((keys) => ({ keys })),
      names.map((include) => ({ include })),
      names.map((excludeKeys) => ({ excludeKeys })),
      fc.constantFrom<unknown>(0, 1, 1e9, -1, 1.5, 'x').map((limit) => ({ limit })),
      fc.constantFrom(0, 2, -1).map((skip) => ({ skip })),
      fc.constantFrom<unknown>(true, 'x', '', 1, 'eyJ9').map((cursor) => ({ cursor })),
      fc.constantFrom({ count: 1 }, { count: 'x' }, { "p'": 1 }),
    )
    const query = fc
      .tuple(anyWhere, fc.array(parameter, { maxLength: 2 }))
      .map(([where, parameters]) => Object.assign({ where }, ...parameters) as object)
    let answered = 0
    for (const input of fc.sample(query, { numRuns: runs, seed })) {
      const { status, text } = await post('/classes/Fuzz', { _method: 'GET', ...input })
      expect.soft(status, `${JSON.stringify(input)} ${failure()}`).toBeLessThan(500)
      if (status === 200) answered++
      else expect.soft(text, JSON.stringify(input)).not.toMatch(leaks)
    }
    expect(answered).toBeGreaterThan(runs / 5)
  })

  test(`${runs * 2} random writes in batches`, { timeout: 60_000 }, async () => {
    const objectId = (await post('/classes/Fuzz', { s: 'a' })).body.objectId as string
    const path = fc.constantFrom('/server/classes/Fuzz', `/server/classes/Fuzz/${objectId}`)
    const samples = fc.sample(fc.tuple(path, changes), { numRuns: runs * 2, seed })
    let done = 0
    for (let index = 0; index < samples.length; index += 50) {
      const requests = samples
        .slice(index, index + 50)
        .map(([to, body]) => ({ method: to.endsWith('Fuzz') ? 'POST' : 'PUT', path: to, body }))
      const { status, body } = await post('/batch', { requests })
      expect(status, JSON.stringify(body)).toBe(200)
      for (const [position, answer] of (body as unknown as { error?: { code: number; error: string } }[]).entries()) {
        if (!answer.error) done++
        else {
          expect.soft(answer.error.code, JSON.stringify(requests[position])).not.toBe(1)
          expect.soft(answer.error.error, JSON.stringify(requests[position])).not.toMatch(leaks)
        }
      }
    }
    expect(done).toBeGreaterThan(runs / 20)
  })

  test('texts that PostgreSQL cannot hold', async () => {
    for (const text of ['\u0000', '\ud800', '\udc00a']) {
      const bodies = [
        { s: text },
        { o: { [text]: 1 } },
        { [text]: 1 },
        { l: [text] },
        { _method: 'GET', where: { s: text } },
        { _method: 'GET', where: { [`o.${text}`]: 1 } },
      ]
      for (const body of bodies) {
        const answer = await post('/classes/Fuzz', body)
        expect.soft(answer.status, `${JSON.stringify(body)} ${failure()}`).toBeLessThan(500)
        expect.soft(answer.text, JSON.stringify(body)).not.toMatch(leaks)
      }
    }
  })

  test('random pipelines', { timeout: 60_000 }, async () => {
    const path = fc.oneof(name, fc.constantFrom('o.a', '_p_p', '$ROOT', 'unknown')).map((field) => `$${field}`)
    const expression = fc.oneof(
      path,
      anyValue,
      fc
        .tuple(
          fc.constantFrom(
            '$add',
            '$concat',
            '$year',
            '$cond',
            '$eq',
            '$gt',
            '$size',
            '$substr',
            '$toInt',
            '$dateToString',
            '$arrayElemAt',
            '$ifNull',
            '$nope',
            '$mod',
            '$in',
          ),
          fc.oneof(path, fc.array(fc.oneof(path, anyValue), { maxLength: 3 })),
        )
        .map(([operator, given]) => ({ [operator]: given })),
    )
    const stage = fc.oneof(
      anyWhere.map(($match) => ({ $match })),
      fc
        .tuple(
          expression,
          name,
          fc.constantFrom('$sum', '$avg', '$min', '$max', '$push', '$first', '$addToSet'),
          expression,
        )
        .map(([_id, as, accumulator, value]) => ({ $group: { _id, [as]: { [accumulator]: value } } })),
      fc.tuple(name, expression).map(([as, value]) => ({ $project: { [as]: value } })),
      fc.tuple(name, expression).map(([as, value]) => ({ $addFields: { [as]: value } })),
      name.map((field) => ({ $sort: { [field]: 1 } })),
      path.map(($unwind) => ({ $unwind })),
      fc
        .tuple(name, name, name)
        .map(([localField, foreignField, as]) => ({ $lookup: { from: 'Fuzz', localField, foreignField, as } })),
      fc.constantFrom({ $limit: 5 }, { $skip: 1 }, { $count: 'n' }, { $sample: { size: 2 } }, { $nope: 1 }),
    )
    let answered = 0
    for (const pipeline of fc.sample(fc.array(stage, { maxLength: 4 }), { numRuns: runs, seed })) {
      const { status, text } = await server.call(
        'POST',
        '/aggregate/Fuzz',
        { _method: 'GET', pipeline },
        { master: true },
      )
      expect.soft(status, `${JSON.stringify(pipeline)} ${failure()}`).toBeLessThan(500)
      if (status === 200) answered++
      else expect.soft(text, JSON.stringify(pipeline)).not.toMatch(leaks)
    }
    expect(answered).toBeGreaterThan(runs / 5)
  })
})

type Parts = { [key: string]: WireValue }
const isParts = (value: WireValue | undefined): value is Parts =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function look(value: WireValue | undefined, path: string[]): WireValue | undefined {
  return path.reduce<WireValue | undefined>(
    (at, key) => (isParts(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  )
}

function put(base: WireValue | undefined, [key = '', ...rest]: string[], value: WireValue): Parts {
  const object = isParts(base) ? base : {}
  return { ...object, [key]: rest.length === 0 ? value : put(object[key], rest, value) }
}

function drop(base: WireValue, [key = '', ...rest]: string[]): WireValue {
  if (!isParts(base) || !Object.hasOwn(base, key)) return base
  if (rest.length > 0) return { ...base, [key]: drop(base[key] as WireValue, rest) }
  const { [key]: _gone, ...kept } = base
  return kept
}

/** What an operation makes of a value; `undefined` where it cannot be carried out. */
function operate(before: WireValue | undefined, change: Parts): WireValue | undefined {
  const objects = change.objects as WireValue[]
  if (change.__op === 'Increment') {
    const sum =
      before === undefined || before === null
        ? change.amount
        : typeof before === 'number'
          ? before + (change.amount as number)
          : undefined
    return Number.isFinite(sum) ? sum : undefined
  }
  const list = before === undefined || before === null ? [] : before
  if (!Array.isArray(list)) return undefined
  if (change.__op === 'Add') return [...list, ...objects]
  if (change.__op === 'Remove') return list.filter((item) => !objects.some((other) => sameValue(item, other)))
  const fresh = objects.filter((item, index) => objects.findIndex((other) => sameValue(item, other)) === index)
  return [...list, ...fresh.filter((item) => !list.some((other) => sameValue(item, other)))]
}

function isSetLater(given: WireChanges, key: string, field: string): boolean {
  const keys = Object.keys(given)
  return keys.indexOf(field) > keys.indexOf(key)
}

/** The naive evaluation of an update; `undefined` where it must be refused. */
function apply(model: WireFields, given: WireChanges): WireFields | undefined {
  let next = { ...model }
  for (const [key, change] of Object.entries(given) as [string, WireValue][]) {
    const [field = '', ...path] = key.split('.')
    // What comes before the whole field is set anew does not count.
    if (path.length > 0 && isSetLater(given, key, field)) continue
    const isOperation = isParts(change) && Object.hasOwn(change, '__op')
    if (isOperation && change.__op === 'Delete') {
      const { [field]: before, ...kept } = next
      next = path.length > 0 && isParts(before) ? { ...kept, [field]: drop(before, path) } : kept
      continue
    }
    const value = isOperation ? operate(path.length > 0 ? look(next[field], path) : next[field], change) : change
    if (value === undefined) return undefined
    next = { ...next, [field]: path.length > 0 ? put(next[field], path, value) : value }
  }
  return next
}

test(`${runs} random operations lead to what a naive evaluation says, and say so`, { timeout: 60_000 }, async () => {
  const master: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
  const { context } = server
  const { objectId } = (await server.call('POST', '/classes/Model', { n: 1, l: [], o: {}, s: '' }, { master: true }))
    .body as { objectId: string }
  const value = anyValue
  const objects = fc.array(
    fc.constantFrom<WireValue>(1, 2, 'a', { a: 1 }, [1], null, { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' }),
    { maxLength: 3 },
  )
  const onList = fc.record({ __op: fc.constantFrom('Add', 'AddUnique', 'Remove'), objects })
  const onNumber = fc.record({ __op: fc.constant('Increment'), amount: fc.constantFrom(1, -2.5, 0.1, 1e300, 1.7e308) })
  const gone = fc.constant({ __op: 'Delete' })
  const inside = fc.constantFrom('o.a', 'o.b', 'o.a.a', 'o.a.b', 'o.b.a')
  const entry = fc.oneof(
    fc.tuple(fc.constant('n'), fc.oneof(onNumber, gone, fc.constantFrom(0, 5, null))),
    fc.tuple(fc.constant('l'), fc.oneof(onList, onList, gone, fc.constant(null))),
    fc.tuple(fc.constant('o'), fc.oneof(gone, fc.constantFrom({}, { a: { b: [1] } }, { a: 1, b: null }))),
    fc.tuple(inside, fc.oneof(onList, onNumber, gone, value)),
    fc.tuple(fc.constant('s'), fc.constantFrom('a', '😀', null)),
  )
  const change = fc
    .array(entry, { minLength: 1, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as WireChanges)
  let model: WireFields = { n: 1, l: [], o: {}, s: '' }
  let refused = 0
  for (const given of fc.sample(change, { numRuns: runs, seed })) {
    const expected = apply(model, given)
    const answer = await updateObject(context, master, 'Model', objectId, given).catch((error) => {
      if (!(error instanceof CountersignError) && !/^(CS|22)/.test(String(error.code))) throw error
      return undefined
    })
    if (!answer) refused++
    if (expected === undefined || answer === undefined) {
      expect(answer, `${JSON.stringify(given)} on ${JSON.stringify(model)}`).toBe(expected)
      continue
    }
    const {
      objectId: _id,
      createdAt: _created,
      updatedAt: _updated,
      ...after
    } = await getObject(context, master, 'Model', objectId, {})
    expect(after, `${JSON.stringify(given)} on ${JSON.stringify(model)}`).toEqual(expected)
    for (const [key, operationOrValue] of Object.entries(given) as [string, WireValue][]) {
      if (!isParts(operationOrValue) || !Object.hasOwn(operationOrValue, '__op') || operationOrValue.__op === 'Delete')
        continue
      expect(look(answer as WireFields, key.split('.')), JSON.stringify(given)).toEqual(look(expected, key.split('.')))
    }
    model = expected
  }
  expect(refused).toBeLessThan(runs / 2)
})
