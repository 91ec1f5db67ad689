import { beforeAll, describe, expect, test } from 'vitest'
import { createAggregates, date, pointer } from '../testing/objects/createAggregates.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  await seedGames()
})

const { seedGames, run, ids } = createAggregates(() => server)

describe('stages', () => {
  test('$group with every accumulator, sorted', async () => {
    const results = await run([
      { $sort: { at: 1 } },
      {
        $group: {
          _id: '$player',
          total: { $sum: '$score' },
          games: { $sum: 1 },
          counted: { $count: {} },
          mean: { $avg: '$score' },
          least: { $min: '$score' },
          most: { $max: '$score' },
          first: { $first: '$score' },
          last: { $last: '$at' },
          scores: { $push: '$score' },
          kinds: { $addToSet: '$o.kind' },
        },
      },
      { $sort: { total: -1, objectId: 1 } },
    ])
    expect(results).toEqual([
      {
        objectId: 'ann',
        total: 40,
        games: 2,
        counted: 2,
        mean: 20,
        least: 10,
        most: 30,
        first: 10,
        last: date('2024-02-29T12:00:00.000Z'),
        scores: [10, 30],
        kinds: ['x', 'y'],
      },
      {
        objectId: 'bob',
        total: 25,
        games: 2,
        counted: 2,
        mean: 12.5,
        least: 5,
        most: 20,
        first: 20,
        last: date('2024-02-01T10:00:00.000Z'),
        scores: [20, 5],
        kinds: ['x'],
      },
      {
        objectId: 'cat',
        total: 0,
        games: 1,
        counted: 1,
        mean: null,
        least: null,
        most: null,
        first: null,
        last: date('2023-12-31T12:00:00.000Z'),
        scores: [],
        kinds: [],
      },
    ])
  })

  test('$group without a key, by a pointer, by an object, by parts of a date', async () => {
    expect(await run([{ $group: { _id: null, total: { $sum: '$score' } } }])).toEqual([{ objectId: null, total: 65 }])
    expect(await run([{ $match: { score: { $gt: 99 } } }, { $group: { _id: null, n: { $sum: 1 } } }])).toEqual([])
    expect(await run([{ $group: { _id: '$team', n: { $sum: 1 } } }, { $sort: { n: 1, _id: 1 } }])).toContainEqual({
      objectId: ids.red,
      n: 2,
    })
    expect(
      await run([
        { $group: { _id: { year: { $year: '$at' }, month: { $month: '$at' } }, n: { $sum: 1 } } },
        { $sort: { '_id.year': 1, '_id.month': 1 } },
      ]),
    ).toEqual([
      { objectId: { year: 2023, month: 12 }, n: 1 },
      { objectId: { year: 2024, month: 1 }, n: 1 },
      { objectId: { year: 2024, month: 2 }, n: 3 },
    ])
  })

  test('stages repeat and come in any order', async () => {
    const results = await run([
      { $match: { player: { $in: ['ann', 'bob'] } } },
      { $group: { _id: '$player', total: { $sum: '$score' } } },
      { $match: { total: { $gt: 10 } } },
      { $sort: { total: 1 } },
      { $limit: 1 },
      { $addFields: { double: { $multiply: ['$total', 2] } } },
      { $match: { double: 50 } },
      { $project: { double: 1, 'in.side': '$total' } },
    ])
    expect(results).toEqual([{ objectId: 'bob', double: 50, in: { side: 25 } }])
    expect(await run([{ $group: { _id: '$player' } }, { $group: { _id: null, players: { $sum: 1 } } }])).toEqual([
      { objectId: null, players: 3 },
    ])
    expect(
      await run([
        { $sort: { at: 1 } },
        { $limit: 3 },
        { $sort: { at: -1 } },
        { $skip: 1 },
        { $limit: 1 },
        { $project: { at: 1, _id: 0 } },
      ]),
    ).toEqual([{ at: date('2024-01-31T23:30:00.000Z') }])
  })

  test('$project keeps, leaves out and computes', async () => {
    const one = [{ $match: { score: 10 } }]
    expect(await run([...one, { $project: { _id: 0, player: 1, 'o.kind': 1, team: 1, nothing: 1 } }])).toEqual([
      { player: 'ann', o: { kind: 'x' }, team: pointer('Team', ids.red as string) },
    ])
    const [rest] = await run([
      ...one,
      { $project: { 'o.kind': 0, tags: 0, team: 0, _id: 0, createdAt: 0, updatedAt: 0 } },
    ])
    expect(rest).toEqual({ player: 'ann', score: 10, at: date('2024-01-31T23:30:00.000Z'), o: { level: 1 } })
    const [whole] = await run(one)
    expect(Object.keys(whole as object).sort()).toEqual([
      'at',
      'createdAt',
      'o',
      'objectId',
      'player',
      'score',
      'tags',
      'team',
      'updatedAt',
    ])
    expect(whole?.createdAt).toMatch(/^\d{4}-.*Z$/)
    expect(await run([...one, { $unset: ['o', 'tags', 'team', 'at', 'createdAt', 'updatedAt', 'objectId'] }])).toEqual([
      { player: 'ann', score: 10 },
    ])
  })

  test('$unwind takes lists apart', async () => {
    const count = [{ $group: { _id: '$tags', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]
    expect(await run([{ $unwind: '$tags' }, ...count])).toEqual([
      { objectId: 'a', n: 2 },
      { objectId: 'b', n: 3 },
      { objectId: 'c', n: 1 },
    ])
    expect(await run([{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } }, ...count])).toEqual([
      { objectId: null, n: 2 },
      { objectId: 'a', n: 2 },
      { objectId: 'b', n: 3 },
      { objectId: 'c', n: 1 },
    ])
    expect(
      await run([
        { $match: { player: 'cat' } },
        { $unwind: { path: '$tags', includeArrayIndex: 'at' } },
        { $sort: { at: -1 } },
        { $project: { _id: 0, tags: 1, at: 1 } },
      ]),
    ).toEqual([
      { tags: 'a', at: 2 },
      { tags: 'b', at: 1 },
      { tags: 'c', at: 0 },
    ])
  })

  test('$lookup joins classes: by id, by pointer, the way of MongoDB, by a pipeline', async () => {
    const ann = [{ $match: { player: 'ann' } }, { $sort: { score: 1 } }, { $limit: 1 }]
    const [byPointer] = await run([
      ...ann,
      { $lookup: { from: 'Team', localField: 'team', foreignField: 'objectId', as: 'teams' } },
    ])
    expect(byPointer?.teams).toMatchObject([{ objectId: ids.red, name: 'Red', city: 'Oslo' }])
    // The join that clients use over `_p_<field>`, which holds `Class$id`.
    expect(
      await run([
        { $project: { player: 1, score: 1, teamId: { $substr: ['$_p_team', 5, -1] } } },
        { $lookup: { from: 'Team', localField: 'teamId', foreignField: '_id', as: 'team' } },
        { $unwind: '$team' },
        { $match: { 'team.name': 'Red', score: { $gte: 10 } } },
        { $sort: { score: -1 } },
        { $project: { _id: 0, player: 1, score: 1, name: '$team.name', id: '$team._id' } },
      ]),
    ).toEqual([
      { player: 'ann', score: 30, name: 'Red', id: ids.red },
      { player: 'ann', score: 10, name: 'Red', id: ids.red },
    ])
    const backwards = await run(
      [
        { $sort: { name: 1 } },
        { $lookup: { from: 'Game', localField: '_id', foreignField: 'team', as: 'games' } },
        { $project: { _id: 0, name: 1, games: { $size: '$games' }, best: { $arrayElemAt: ['$games.player', 0] } } },
      ],
      'Team',
    )
    expect(backwards).toEqual([
      { name: 'Blue', games: 2, best: 'bob' },
      { name: 'Red', games: 2, best: 'ann' },
    ])
    expect(
      await run(
        [
          {
            $lookup: {
              from: 'Game',
              let: { team: '$objectId' },
              pipeline: [
                { $match: { $expr: { $eq: ['$team', '$$team'] } } },
                { $group: { _id: null, total: { $sum: '$score' } } },
              ],
              as: 'sums',
            },
          },
          { $unwind: '$sums' },
          { $sort: { 'sums.total': -1 } },
          { $project: { _id: 0, name: 1, total: '$sums.total' } },
        ],
        'Team',
      ),
    ).toEqual([
      { name: 'Red', total: 40 },
      { name: 'Blue', total: 25 },
    ])
  })

  test('$count, $sample, $sortByCount, $facet, $replaceRoot', async () => {
    expect(await run([{ $match: { player: 'ann' } }, { $count: 'n' }])).toEqual([{ n: 2 }])
    expect(await run([{ $match: { player: 'nobody' } }, { $count: 'n' }])).toEqual([])
    expect(await run([{ $sample: { size: 2 } }])).toHaveLength(2)
    expect(await run([{ $match: { score: { $gt: 5 } } }, { $sortByCount: '$o.kind' }])).toEqual([
      { objectId: 'x', count: 2 },
      { objectId: 'y', count: 1 },
    ])
    expect(
      await run([
        {
          $facet: {
            best: [{ $sort: { score: -1 } }, { $limit: 1 }, { $project: { _id: 0, score: 1 } }],
            all: [{ $count: 'n' }],
          },
        },
      ]),
    ).toEqual([{ best: [{ score: 30 }], all: [{ n: 5 }] }])
    expect(
      await run([{ $match: { score: 20 } }, { $replaceRoot: { newRoot: '$o' } }, { $match: { level: 2 } }]),
    ).toEqual([{ level: 2, kind: 'x' }])
    expect(
      await run([
        { $match: { score: 20 } },
        { $group: { _id: null, all: { $push: '$$ROOT' } } },
        { $project: { _id: 0, name: '$all.player' } },
      ]),
    ).toEqual([{ name: ['bob'] }])
  })
})
