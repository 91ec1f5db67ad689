import type { WireWhere } from '@countersign/protocol'
import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'
import { isMatchable } from './Condition.ts'
import { matches } from './matches.ts'
import type { QueryScope } from './QueryParser.ts'
import { readWhere } from './readWhere.ts'

const server = serveTests()
beforeAll(async () => {
  const fields = {
    name: 'a',
    score: 1,
    tags: [],
    o: {},
    place: { __type: 'GeoPoint', latitude: 0, longitude: 0 },
    friends: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: 'x' }] },
    others: { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: 'Held', objectId: 'x' }] },
    owner: { __type: 'Pointer', className: '_User', objectId: 'x' },
  }
  const { status, text } = await server.call('POST', '/classes/Held', fields, { master: true })
  if (status !== 201) throw new Error(text)
})

const read = (where: WireWhere) => {
  const { classes, config } = server.context
  const scope: QueryScope = { classes, config, access: { isMaster: true, entities: ['*'] }, now: new Date() }
  return readWhere(scope, classes.get('Held'), where)
}

test('conditions on other rows cannot be decided in memory, at any depth, and are reported', () => {
  const query = { className: '_User', where: { username: 'x' } }
  const cases: WireWhere[] = [
    { owner: { $inQuery: query } },
    { owner: { $notInQuery: query } },
    { name: { $select: { key: 'username', query } } },
    { friends: { __type: 'Pointer', className: '_User', objectId: 'x' } },
    { $relatedTo: { object: { __type: 'Pointer', className: 'Held', objectId: 'x' }, key: 'others' } },
    { name: { $text: { $search: { $term: 'a' } } } },
  ]
  for (const where of cases) {
    expect.soft(isMatchable(read(where)), JSON.stringify(where)).toBe(false)
    const deep = read({ $or: [{ score: 1 }, { $nor: [{ $and: [where] }] }] })
    expect.soft(isMatchable(deep), `deep ${JSON.stringify(where)}`).toBe(false)
    expect.soft(() => matches(read(where), { objectId: 'y' }), JSON.stringify(where)).toThrow('in memory')
  }
  expect(isMatchable(read({ score: { $gt: 1 }, 'o.a': null, tags: { $all: ['a'] } }))).toBe(true)
})

test('an object on its way to subscribers is matched as it stands on the wire', () => {
  const object = { objectId: 'x', createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2020-01-02T00:00:00.000Z' }
  const cases: [WireWhere, object, boolean][] = [
    [{ createdAt: { $lt: { __type: 'Date', iso: '2020-01-01T00:00:00.001Z' } } }, {}, true],
    [{ score: null }, {}, true],
    [{ score: null }, { score: null }, true],
    [{ score: { $exists: true } }, { score: null }, true],
    [{ score: { $ne: 1 } }, {}, true],
    [{ score: { $nin: [null] } }, {}, false],
    [{ name: { $gt: '\uffee' } }, { name: '😀' }, true],
    [{ tags: 'a' }, { tags: ['b', 'a'] }, true],
    [{ tags: ['b', 'a'] }, { tags: ['b', 'a'] }, true],
    [{ 'o.list.a': 1 }, { o: { list: [{ a: 2 }, { a: 1 }] } }, true],
    [{ 'o.list.0.a': 1 }, { o: { list: [{ a: 2 }, { a: 1 }] } }, false],
    [{ o: { a: 1, b: 2 } }, { o: { b: 2, a: 1 } }, true],
    [{ name: { $regex: '^A', $options: 'i' } }, { name: 'abc' }, true],
  ]
  for (const [where, fields, expected] of cases) {
    expect.soft(matches(read(where), { ...object, ...fields } as never), JSON.stringify([where, fields])).toBe(expected)
  }
})

test('R26: distances are those of a globe of 6371 km', () => {
  const at = (latitude: number, longitude: number) => ({ __type: 'GeoPoint' as const, latitude, longitude })
  const near = (kilometers: number) =>
    read({ place: { $nearSphere: at(52.52, 13.405), $maxDistanceInKilometers: kilometers } })
  const object = { objectId: 'x', place: at(48.8566, 2.3522) }
  expect([877, 878].map((kilometers) => matches(near(kilometers), object))).toEqual([false, true])
  const acrossTheDateLine = read({ place: { $nearSphere: at(0, 179.9), $maxDistanceInKilometers: 30 } })
  expect(matches(acrossTheDateLine, { objectId: 'x', place: at(0, -179.9) })).toBe(true)
})
