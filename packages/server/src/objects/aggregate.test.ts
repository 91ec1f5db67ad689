import Parse from 'parse/node'
import { beforeAll, expect, test } from 'vitest'
import { createAggregates, date, pointer } from '../testing/objects/createAggregates.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  // The package's types for Node leave its first function out.
  const { initialize } = Parse as unknown as { initialize(appId: string, key: undefined, masterKey: string): void }
  initialize(server.appId, undefined, server.masterKey)
  Parse.serverURL = server.serverUrl
  await seedGames()
})

const { seedGames, run, ids, aggregate } = createAggregates(() => server)

test('expressions', async () => {
  const cases: [unknown, unknown][] = [
    [{ $add: ['$score', 1, 2] }, 13],
    [{ $subtract: ['$score', 4] }, 6],
    [{ $multiply: ['$score', '$o.level', 3] }, 30],
    [{ $divide: ['$score', 4] }, 2.5],
    [{ $divide: ['$score', 0] }, null],
    [{ $mod: ['$score', 4] }, 2],
    [{ $round: [{ $divide: ['$score', 3] }, 2] }, 3.33],
    [{ $abs: { $subtract: [1, '$score'] } }, 9],
    [{ $floor: 2.7 }, 2],
    [{ $ceil: 2.1 }, 3],
    [{ $pow: ['$score', 2] }, 100],
    [{ $sqrt: -1 }, null],
    [{ $concat: ['$player', '-', 'x'] }, 'ann-x'],
    [{ $concat: ['$player', '$missing'] }, null],
    [{ $toUpper: '$player' }, 'ANN'],
    [{ $toLower: 'ABC' }, 'abc'],
    [{ $substr: ['$player', 1, 1] }, 'n'],
    [{ $substr: ['$_p_team', 0, 5] }, 'Team$'],
    [{ $strLenCP: '$player' }, 3],
    [{ $split: ['a,b', ','] }, ['a', 'b']],
    [{ $trim: { input: ' x ' } }, 'x'],
    [{ $cond: [{ $gte: ['$score', 10] }, 'high', 'low'] }, 'high'],
    [JSON.parse('{"$cond":{"if":"$missing","then":1,"else":2}}'), 2],
    [
      JSON.parse('{"$switch":{"branches":[{"case":{"$eq":["$score",1]},"then":"one"},{"case":true,"then":"other"}]}}'),
      'other',
    ],
    [{ $ifNull: ['$missing', 'none'] }, 'none'],
    [{ $eq: ['$player', 'ann'] }, true],
    [{ $eq: ['$team', pointer('Team', 'other')] }, false],
    [{ $ne: ['$score', '$o.level'] }, true],
    [{ $lt: ['$o.level', '$score'] }, true],
    [{ $gt: ['$at', date('2024-01-01T00:00:00.000Z')] }, true],
    [{ $cmp: [1, 2] }, -1],
    [{ $and: [true, '$score'] }, true],
    [{ $or: [false, 0] }, false],
    [{ $not: ['$missing'] }, true],
    [{ $size: '$tags' }, 2],
    [{ $arrayElemAt: ['$tags', -1] }, 'b'],
    [{ $first: '$tags' }, 'a'],
    [{ $in: ['a', '$tags'] }, true],
    [{ $isArray: '$tags' }, true],
    [{ $concatArrays: ['$tags', ['z']] }, ['a', 'b', 'z']],
    [{ $map: { input: '$tags', as: 't', in: { $concat: ['$$t', '!'] } } }, ['a!', 'b!']],
    [{ $filter: { input: '$tags', as: 't', cond: { $ne: ['$$t', 'a'] } } }, ['b']],
    [{ $mergeObjects: ['$o', { more: 1 }] }, { level: 1, kind: 'x', more: 1 }],
    [{ $year: '$at' }, 2024],
    [{ $dayOfMonth: { date: '$at', timezone: 'Europe/Paris' } }, 1],
    [{ $dayOfMonth: { date: '$at', timezone: '-02:00' } }, 31],
    [{ $hour: '$at' }, 23],
    [{ $minute: '$at' }, 30],
    [{ $dayOfWeek: '$at' }, 4],
    [{ $week: '$at' }, 4],
    [{ $millisecond: '$at' }, 0],
    [{ $dateToString: { date: '$at', format: '%Y-%m-%d %%' } }, '2024-01-31 %'],
    [{ $dateTrunc: { date: '$at', unit: 'month' } }, date('2024-01-01T00:00:00.000Z')],
    [{ $subtract: ['$at', date('2024-01-31T23:00:00.000Z')] }, 1_800_000],
    [{ $add: ['$at', 60_000] }, date('2024-01-31T23:31:00.000Z')],
    [{ $toString: '$score' }, '10'],
    [{ $toInt: '7.9' }, 7],
    [{ $toDouble: '$o.level' }, 1],
    [{ $toDate: 0 }, date('1970-01-01T00:00:00.000Z')],
    [{ $toBool: '$score' }, true],
    [{ $literal: '$player' }, '$player'],
    [{ $sum: ['$score', 5] }, 15],
    [{ $max: ['$score', 50] }, 50],
    [{ $avg: ['$score', 20] }, 15],
    [
      ['$player', '$score'],
      ['ann', 10],
    ],
    [
      { a: '$player', b: { c: '$o.level' } },
      { a: 'ann', b: { c: 1 } },
    ],
    ['$_created_at', date(expect.any(String) as unknown as string)],
  ]
  const fields = Object.fromEntries(cases.map(([expression], index) => [`f${index}`, expression]))
  const [result] = await run([{ $match: { score: 10 } }, { $project: { _id: 0, ...fields } }])
  for (const [index, [expression, expected]] of cases.entries()) {
    expect.soft(result?.[`f${index}`], JSON.stringify(expression)).toEqual(expected)
  }
})

test('$match after a stage knows the forms of MongoDB', async () => {
  const cases: [object, number][] = [
    [{ player: 'ann' }, 2],
    [{ score: null }, 1],
    [{ score: { $ne: 10 } }, 4],
    [{ score: { $gte: 10, $lt: 30 } }, 2],
    [{ score: { $in: [5, null] } }, 2],
    [{ score: { $nin: [5, null] } }, 3],
    [{ tags: 'b' }, 3],
    [{ tags: { $all: ['a', 'b'] } }, 2],
    [{ tags: { $size: 0 } }, 1],
    [{ tags: { $not: { $in: ['b'] } } }, 2],
    [{ 'o.level': { $gt: 2 } }, 2],
    [{ 'o.kind': { $regex: '^X$', $options: 'i' } }, 2],
    [{ at: { $gt: date('2024-02-01T00:00:00.000Z') } }, 3],
    [{ at: { $gt: '2024-02-01T00:00:00.000Z' } }, 3],
    [{ $or: [{ player: 'cat' }, { score: 5 }] }, 2],
    [{ $nor: [{ player: 'cat' }, { score: 5 }] }, 3],
    [{ $expr: { $gt: ['$score', 15] } }, 2],
    [{ score: { $mod: [10, 0] } }, 3],
    [{ done: true }, 1],
    [{ unknown: { $exists: false } }, 5],
    [{ unknown: 1 }, 0],
  ]
  for (const [where, count] of cases) {
    for (const first of [[], [{ $addFields: { computed: 1 } }]]) {
      const results = await run([...first, { $match: where }])
      expect.soft(results.length, `${JSON.stringify(where)} after ${first.length} stages`).toBe(count)
    }
  }
  expect(await run([{ $match: { team: pointer('Team', ids.red as string) } }])).toHaveLength(2)
  expect(await run([{ $match: { _p_team: `Team$${ids.red}` } }])).toHaveLength(2)
  expect(await run([{ $match: { _created_at: { $gt: '2000-01-01T00:00:00.000Z' } } }])).toHaveLength(5)
})

test('distinct with where; lists are taken apart, pointers come as pointers', async () => {
  const distinct = async (field: string, where?: object, className = 'Game') => {
    const { body } = await server.call(
      'POST',
      `/aggregate/${className}`,
      { _method: 'GET', distinct: field, where },
      { master: true },
    )
    return (body.results as unknown[]).sort()
  }
  expect(await distinct('player')).toEqual(['ann', 'bob', 'cat'])
  expect(await distinct('player', { score: { $gt: 5 } })).toEqual(['ann', 'bob'])
  expect(await distinct('tags')).toEqual(['a', 'b', 'c'])
  expect(await distinct('o.kind')).toEqual(['x', 'y'])
  expect(await distinct('score')).toEqual([10, 20, 30, 5])
  expect(await distinct('team')).toEqual(
    expect.arrayContaining([pointer('Team', ids.red as string), pointer('Team', ids.blue as string)]),
  )
  expect(await distinct('at', { player: 'cat' })).toEqual([date('2023-12-31T12:00:00.000Z')])
  expect(await distinct('nothing')).toEqual([])
  expect(await distinct('player', {}, 'Nowhere')).toEqual([])
})

test('the public parse client aggregates', async () => {
  const query = new Parse.Query('Game')
  query.equalTo('player', 'ann')
  expect(await query.aggregate([{ $group: { _id: '$player', total: { $sum: '$score' } } }])).toEqual([
    { objectId: 'ann', total: 40 },
  ])
  expect(await new Parse.Query('Game').aggregate({ $match: { player: 'bob' }, $count: 'n' } as never)).toEqual([
    { n: 2 },
  ])
  const distinct = await new Parse.Query('Game').greaterThan('score', 5).distinct('player')
  expect([...distinct].sort()).toEqual(['ann', 'bob'])
})

test('only for the master key', async () => {
  const { token } = await server.signUp('aggregating')
  for (const options of [{}, { token }]) {
    const { status, body } = await server.call('GET', '/aggregate/Game?distinct=player', undefined, options)
    expect([status, body.results]).toEqual([403, undefined])
  }
})

test('mistakes are named with their code', async () => {
  const cases: [unknown, RegExp][] = [
    [[{ $nope: {} }], /'\$nope'/],
    [[{ $match: {}, $limit: 1 }], /one key/],
    [[{ match: {} }], /'match'/],
    [[{}], /one key/],
    ['text', /list of stages/],
    [[{ $group: { n: { $sum: 1 } } }], /group. Missing key _id/],
    [[{ $group: { _id: null, objectId: { $sum: 1 } } }], /objectId/],
    [[{ $group: { _id: null, n: { $median: '$x' } } }], /accumulator/],
    [[{ $group: { _id: null, n: 1 } }], /accumulator/],
    [[{ $limit: 0 }], /\$limit/],
    [[{ $limit: '1' }], /\$limit/],
    [[{ $skip: -1 }], /\$skip/],
    [[{ $sort: { a: 2 } }], /1 or -1/],
    [[{ $project: {} }], /\$project/],
    [[{ $project: { a: 1, b: 0 } }], /cannot exclude/],
    [[{ $project: { a: { $nope: 1 } } }], /'\$nope'/],
    [[{ $project: { a: '$$nope' } }], /\$\$nope/],
    [[{ $project: { a: { $add: [1], $subtract: [1] } } }], /one operator/],
    [[{ $project: { a: { $divide: [1] } } }], /takes 2/],
    [[{ $unwind: 'tags' }], /\$unwind/],
    [[{ $lookup: { from: 'Nowhere', localField: 'a', foreignField: 'b', as: 'c' } }], /class Nowhere does not exist/],
    [[{ $lookup: { from: '_Join:users:_Role', localField: 'a', foreignField: 'b', as: 'c' } }], /does not exist/],
    [[{ $lookup: { from: 'Team' } }], /as/],
    [[{ $out: 'Game' }], /read-only/],
    [[{ $match: { player: { $nope: 1 } } }], /\$nope/],
    [[{ $project: { a: { $toInt: '$player' } } }], /value/],
    [[{ $project: { a: { $hour: { date: '$at', timezone: "x'; drop table" } } } }], /time zone/],
    [[{ $match: { player: { $regex: '(' } } }], /regex/i],
  ]
  for (const [pipeline, message] of cases) {
    const { status, code, error } = await aggregate(pipeline)
    expect.soft(status, JSON.stringify(pipeline)).toBe(400)
    expect.soft([102, 105, 107], JSON.stringify(pipeline)).toContain(code)
    expect.soft(error, JSON.stringify(pipeline)).toMatch(message)
  }
  const unknown = await server.call('GET', '/aggregate/Game?foo=1', undefined, { master: true })
  expect([unknown.status, unknown.body.code, unknown.body.error]).toEqual([
    400,
    102,
    'Invalid parameter for query: foo',
  ])
})

test('P3: names and texts of the client never become SQL', async () => {
  const evil = `x"; drop table public."Game"; --'`
  const attempts: unknown[] = [
    [{ $group: { _id: `$${evil}`, [evil]: { $sum: `$${evil}` } } }],
    [{ $group: { _id: { [evil]: `$o.${evil}` } } }],
    [{ $project: { [evil]: 1 } }],
    [{ $project: { a: `$o.${evil}` } }],
    [{ $addFields: { [evil]: evil } }],
    [{ $addFields: { [`o.${evil}`]: evil } }],
    [{ $sort: { [evil]: 1 } }],
    [{ $match: { [evil]: evil } }],
    [{ $addFields: { a: 1 } }, { $match: { [evil]: evil, player: { $regex: evil } } }],
    [{ $unwind: { path: `$${evil}`, includeArrayIndex: evil } }],
    [{ $lookup: { from: evil, localField: evil, foreignField: evil, as: evil } }],
    [{ $lookup: { from: 'Team', localField: evil, foreignField: evil, as: evil } }],
    [{ $lookup: { from: 'pg_class', localField: 'a', foreignField: 'oid', as: 'b' } }],
    [{ $count: evil }],
    [{ $facet: { [evil]: [{ $count: evil }] } }],
    [{ $project: { a: { $dateToString: { date: '$at', format: evil } } } }],
    [{ $project: { a: { $dateTrunc: { date: '$at', unit: evil } } } }],
  ]
  for (const pipeline of attempts) {
    const { status, error = '' } = await aggregate(pipeline)
    expect.soft([200, 400], JSON.stringify(pipeline)).toContain(status)
    expect.soft(error).not.toMatch(/syntax|select|column .* does not exist/i)
  }
  const distinct = await server.call('POST', '/aggregate/Game', { _method: 'GET', distinct: evil }, { master: true })
  expect([distinct.status, distinct.body.results]).toEqual([200, []])
  expect(await run([{ $count: 'n' }])).toEqual([{ n: 5 }])
})

test('P5: hidden columns never come out', async () => {
  await server.signUp('hidden', { email: 'hidden@example.com' })
  const everything = [
    ...(await run([], '_User')),
    ...(await run([{ $project: { a: '$_hashed_password', b: '$_rperm', c: '$$ROOT' } }], '_User')),
    ...(await run([{ $lookup: { from: '_Session', localField: '_id', foreignField: 'user', as: 's' } }], '_User')),
  ]
  expect(everything.length).toBeGreaterThan(2)
  expect(JSON.stringify(everything)).not.toMatch(/argon|"_(?!_type"|User")|hash|perm"/i)
})

test('explain returns the plan, hint names an existing index', async () => {
  const ask = (parameters: object) =>
    server.call(
      'POST',
      '/aggregate/Game',
      { _method: 'GET', pipeline: [{ $match: { score: 1 } }], ...parameters },
      { master: true },
    )
  const { status, body } = await ask({ explain: true })
  expect(status).toBe(200)
  expect(JSON.stringify(body.results)).toContain('"Node Type"')
  expect((await ask({ hint: 'nowhere' })).body.code).toBe(102)
  expect((await ask({ hint: '_id_' })).status).toBe(200)
})

test('a slow aggregate is logged without its values', async () => {
  const { config } = server.context
  const before = config.slowQueryThreshold
  config.slowQueryThreshold = 0.001
  await run([{ $match: { player: 'a secret name' } }, { $count: 'n' }])
  config.slowQueryThreshold = before
  const line = server.logs.find((entry) => entry.includes('slow query')) ?? ''
  expect(JSON.parse(line)).toMatchObject({
    className: 'Game',
    operation: 'aggregate',
    shape: '$match $count',
    ms: expect.any(Number),
  })
  expect(line).not.toContain('secret')
})
