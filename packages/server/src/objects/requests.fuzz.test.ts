import type { WireChanges, WireValue } from '@countersign/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { anyObject, anyValue } from '../testing/objects/fuzzValues.ts'
import { anyWhere } from '../testing/objects/fuzzWheres.ts'
import { serveTests } from '../testing/serveTests.ts'

const seed = Number(process.env.FUZZ_SEED ?? 1)
const runs = Number(process.env.FUZZ_RUNS ?? 300)

/** Texts of PostgreSQL, the driver or a stack trace. */
const leaks =
  /syntax error|relation "|column "|operator does not exist|violates|invalid input syntax|out of range for|pg_|public\."|\bat .*\.[jt]s:\d|node_modules|jsonb|::text|SQLSTATE/

let token: string
const server = serveTests()
beforeAll(async () => {
  token = (await server.signUp('fuzzer')).token
  await post('/batch', {
    requests: fc
      .sample(anyObject, { numRuns: 30, seed })
      .map((body) => ({ method: 'POST', path: '/server/classes/Fuzz', body })),
  })
})

/** The last internal failure, for the reader of a failed run. */
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

describe('never a 500, never SQL in a response', () => {
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

  test('former findings of random runs', async () => {
    const { body } = await post('/classes/Fuzz', { o: { a: [] }, n: 1 })
    const found: [object, object][] = [
      [{ nowhere: { __op: 'SetOnInsert', amount: null } }, {}],
      [{ o: null, 'o.a': { __op: 'Increment', amount: 2 } }, { o: { a: 2 } }],
      [{ o: { a: [1] }, 'o.a': { __op: 'Add', objects: [2] } }, { o: { a: [1, 2] } }],
      [{ 'o.a.b': { __op: 'Delete' }, n: { __op: 'Increment', amount: 1 } }, { n: 2 }],
    ]
    for (const [given, echo] of found) {
      const answer = await server.call('PUT', `/classes/Fuzz/${body.objectId}`, given, { token })
      expect.soft(answer.status, `${JSON.stringify(given)} ${failure()}`).toBe(200)
      expect.soft(answer.body).toMatchObject(echo)
    }
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
    for (const pipeline of fc.sample(fc.array(stage, { maxLength: 4 }), { numRuns: runs / 2, seed })) {
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
    expect(answered).toBeGreaterThan(runs / 10)
  })
})
