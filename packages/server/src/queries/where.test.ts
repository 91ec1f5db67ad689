import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../testing/serveTests.ts'

type Fields = Record<string, unknown>

const ids = new Map<string, string>()

const date = (iso: string) => ({ __type: 'Date', iso })
const point = (latitude: number, longitude: number) => ({ __type: 'GeoPoint', latitude, longitude })
const pointer = (className: string, name: string) => ({
  __type: 'Pointer',
  className,
  objectId: ids.get(name) ?? 'gone',
})
const bytes = (base64: string) => ({ __type: 'Bytes', base64 })
const file = (name: string) => ({ __type: 'File', name, url: `http://files/${name}` })
const square = (south: number, west: number, size: number) => ({
  __type: 'Polygon',
  coordinates: [
    [south, west],
    [south, west + size],
    [south + size, west + size],
    [south + size, west],
  ],
})

async function create(className: string, name: string, fields: Fields): Promise<void> {
  const { status, body } = await server.call('POST', `/classes/${className}`, { name, ...fields }, { master: true })
  if (status !== 201) throw new Error(JSON.stringify(body))
  ids.set(name, body.objectId as string)
}

async function ask(className: string, where: unknown, more: Fields = {}): Promise<string[]> {
  const { status, body } = await server.call(
    'POST',
    `/classes/${className}`,
    { _method: 'GET', where, order: 'name', ...more },
    { master: true },
  )
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return (body.results as { name: string }[]).map(({ name }) => name)
}

const server = serveTests({ requestComplexity: { queryDepth: 3, subqueryDepth: 2, conditionCount: 50 } })
beforeAll(async () => {
  await create('Team', 'reds', {
    city: 'Oslo',
    wins: 3,
    tags: ['old', 'big'],
    founded: date('2000-01-01T00:00:00.000Z'),
  })
  await create('Team', 'blues', { city: 'Rome', wins: 9, tags: ['new'], info: { city: 'Bern' } })
  await create('Team', 'greens', { wins: 5 })
  await create('Thing', 'a', {
    text: 'Apple pie',
    number: 1,
    yes: true,
    date: date('2020-01-01T00:00:00.000Z'),
    list: [1, 'x', { deep: 1 }],
    object: { kind: 'one', size: 1, inner: { list: [1, 2] }, rows: [{ id: 1 }, { id: 2 }] },
    place: point(59.9, 10.7),
    photo: file('a.png'),
    data: bytes('AAEC'),
    area: square(0, 0, 10),
    team: pointer('Team', 'reds'),
    teams: [pointer('Team', 'reds'), pointer('Team', 'blues')],
    city: 'Oslo',
  })
  await create('Thing', 'b', {
    text: 'apple\nBanana.',
    number: 2.5,
    yes: false,
    date: date('2021-06-01T12:00:00.500Z'),
    list: ['x', 'xyz', null],
    object: { kind: 'two', size: 20, when: date('2021-01-01T00:00:00.000Z'), owner: pointer('Team', 'blues') },
    place: point(41.9, 12.5),
    photo: file('b.png'),
    data: bytes('/w=='),
    area: square(20, 20, 5),
    team: pointer('Team', 'blues'),
    teams: [pointer('Team', 'greens')],
    city: 'Rome',
  })
  await create('Thing', 'c', { text: '', number: -3, list: [], object: { kind: null }, nothing: 1, team: null })
  await create('Thing', 'd', { text: 'Ärger +1 (100%)', number: 100, list: [[1, 2], 7], nothing: null })
  await create('Thing', 'e', {})
  const relate = (owner: string, names: string[]) =>
    server.call(
      'PUT',
      `/classes/Team/${ids.get(owner)}`,
      { things: { __op: 'AddRelation', objects: names.map((name) => pointer('Thing', name)) } },
      { master: true },
    )
  await relate('reds', ['a', 'b'])
  await relate('blues', ['b'])
})

const everything = ['a', 'b', 'c', 'd', 'e']

describe('conditions', () => {
  const table: [where: () => unknown, found: string[]][] = [
    [() => ({}), everything],
    // Equality of each type
    [() => ({ text: 'Apple pie' }), ['a']],
    [() => ({ text: '' }), ['c']],
    [() => ({ text: 5 }), []],
    [() => ({ number: 2.5 }), ['b']],
    [() => ({ number: '2.5' }), []],
    [() => ({ yes: false }), ['b']],
    [() => ({ yes: 0 }), []],
    [() => ({ date: date('2021-06-01T12:00:00.500Z') }), ['b']],
    [() => ({ date: '2021-06-01T12:00:00.500Z' }), ['b']],
    [() => ({ place: point(41.9, 12.5) }), ['b']],
    [() => ({ photo: { __type: 'File', name: 'a.png' } }), ['a']],
    [() => ({ data: bytes('AAEC') }), ['a']],
    [() => ({ area: square(20, 20, 5) }), ['b']],
    [() => ({ team: pointer('Team', 'reds') }), ['a']],
    [() => ({ team: { ...pointer('Team', 'reds'), __type: 'Object', city: 'Oslo' } }), ['a']],
    [() => ({ team: pointer('Thing', 'a') }), []],
    [() => ({ team: 'reds' }), []],
    [() => ({ object: { kind: null } }), ['c']],
    [() => ({ object: { kind: 'one' } }), []],
    [() => ({ list: 1 }), ['a']],
    [() => ({ list: 'x' }), ['a', 'b']],
    [() => ({ list: { deep: 1 } }), ['a']],
    [() => ({ list: {} }), []],
    [() => ({ list: [1, 2] }), ['d']],
    [() => ({ list: [] }), ['c']],
    [() => ({ list: [[1, 2], 7] }), ['d']],
    [() => ({ teams: pointer('Team', 'blues') }), ['a']],
    [() => ({ objectId: ids.get('d') }), ['d']],
    [() => ({ $and: [{ objectId: { $in: [ids.get('d'), 'no'] } }] }), ['d']],
    [() => ({ text: 'Apple pie', number: 1 }), ['a']],
    [() => ({ number: { $eq: 1 } }), ['a']],
    // Null and missing
    [() => ({ nothing: null }), ['a', 'b', 'd', 'e']],
    [() => ({ nothing: { $ne: null } }), ['c']],
    [() => ({ nothing: { $exists: true } }), ['c', 'd']],
    [() => ({ nothing: { $exists: false } }), ['a', 'b', 'e']],
    [() => ({ team: { $exists: true } }), ['a', 'b', 'c']],
    [() => ({ 'object.kind': null }), ['c', 'd', 'e']],
    [() => ({ 'object.kind': { $exists: true } }), ['a', 'b', 'c']],
    [() => ({ 'object.kind': { $exists: false } }), ['d', 'e']],
    [() => ({ 'object.kind': { $ne: null } }), ['a', 'b']],
    [() => ({ number: { $ne: 1 } }), ['b', 'c', 'd', 'e']],
    [() => ({ list: { $ne: 'x' } }), ['c', 'd', 'e']],
    [() => ({ team: { $ne: pointer('Team', 'reds') } }), ['b', 'c', 'd', 'e']],
    // Fields that nobody has
    [() => ({ unknown: 1 }), []],
    [() => ({ unknown: null }), everything],
    [() => ({ unknown: { $ne: 1 } }), everything],
    [() => ({ unknown: { $exists: false } }), everything],
    [() => ({ unknown: { $exists: true } }), []],
    [() => ({ unknown: { $in: [1, null] } }), everything],
    [() => ({ unknown: { $nin: [1] } }), everything],
    [() => ({ 'unknown.deep': { $gt: 1 } }), []],
    [() => ({ 'number.deep': 1 }), []],
    // Lists
    [() => ({ number: { $in: [1, 100, 'x'] } }), ['a', 'd']],
    [() => ({ number: { $in: [] } }), []],
    [() => ({ number: { $nin: [] } }), everything],
    [() => ({ number: { $nin: [1, 100] } }), ['b', 'c', 'e']],
    [() => ({ number: { $in: [1, null] } }), ['a', 'e']],
    [() => ({ number: { $nin: [1, null] } }), ['b', 'c', 'd']],
    [() => ({ yes: { $in: [true, false] } }), ['a', 'b']],
    [() => ({ date: { $in: [date('2020-01-01T00:00:00.000Z'), date('1999-01-01T00:00:00.000Z')] } }), ['a']],
    [() => ({ data: { $in: [bytes('/w=='), bytes('AA==')] } }), ['b']],
    [() => ({ area: { $in: [square(0, 0, 10), square(20, 20, 5)] } }), ['a', 'b']],
    [
      () => ({
        photo: {
          $in: [
            { __type: 'File', name: 'a.png' },
            { __type: 'File', name: 'b.png' },
          ],
        },
      }),
      ['a', 'b'],
    ],
    [() => ({ place: { $in: [point(59.9, 10.7), point(0, 0)] } }), ['a']],
    [() => ({ team: { $in: [pointer('Team', 'reds'), pointer('Team', 'blues')] } }), ['a', 'b']],
    [() => ({ list: { $in: [7, 'xyz'] } }), ['b', 'd']],
    [() => ({ list: { $in: [[1, 2], { deep: 1 }] } }), ['a', 'd']],
    [() => ({ list: { $nin: ['x', 7] } }), ['c', 'e']],
    [() => ({ object: { $in: [{ kind: null }, { kind: 'one' }] } }), ['c']],
    [() => ({ 'object.kind': { $in: ['one', 'two'] } }), ['a', 'b']],
    [() => ({ list: { $in: [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12] } }), ['a']],
    [() => ({ list: { $all: ['x'] } }), ['a', 'b']],
    [() => ({ list: { $all: ['x', 1] } }), ['a']],
    [() => ({ list: { $all: [] } }), []],
    [() => ({ list: { $all: [{ $regex: '^\\Qxy\\E' }] } }), ['b']],
    [() => ({ list: { $containedBy: ['x', 'xyz', null, 5] } }), ['b', 'c']],
    [() => ({ list: { $containedBy: [[1, 2], 7] } }), ['c', 'd']],
    [() => ({ number: { $containedBy: [1] } }), []],
    // Order of values
    [() => ({ number: { $gt: 1 } }), ['b', 'd']],
    [() => ({ number: { $gte: 1, $lt: 100 } }), ['a', 'b']],
    [() => ({ number: { $lte: -3 } }), ['c']],
    [() => ({ number: { $gt: '1' } }), []],
    [() => ({ number: { $gt: null } }), []],
    [() => ({ text: { $gt: 'Z' } }), ['b', 'd']],
    [() => ({ text: { $lt: 'a' } }), ['a', 'c']],
    [() => ({ date: { $gt: date('2020-06-01T00:00:00.000Z') } }), ['b']],
    [() => ({ date: { $lte: '2020-01-01T00:00:00.000Z' } }), ['a']],
    [() => ({ createdAt: { $lt: { $relativeTime: 'in 1 hour' } } }), everything],
    [() => ({ createdAt: { $lt: { $relativeTime: '2 weeks 1 day ago' } } }), []],
    [() => ({ createdAt: { $lte: { $relativeTime: 'now' } } }), everything],
    [() => ({ yes: { $gt: false } }), ['a']],
    [() => ({ list: { $gt: 5 } }), ['d']],
    [() => ({ list: { $gte: 'xy' } }), ['b']],
    [() => ({ 'object.size': { $gt: 3 } }), ['b']],
    [() => ({ 'object.when': { $gt: date('2020-01-01T00:00:00.000Z') } }), ['b']],
    [() => ({ 'object.when': date('2021-01-01T00:00:00.000Z') }), ['b']],
    // Ways into objects and arrays
    [() => ({ 'object.kind': 'one' }), ['a']],
    [() => ({ 'object.inner.list': 2 }), ['a']],
    [() => ({ 'object.inner.list': [1, 2] }), ['a']],
    [() => ({ 'object.inner.list.0': 1 }), ['a']],
    [() => ({ 'object.inner.list.1': 1 }), []],
    [() => ({ 'object.rows.id': 2 }), ['a']],
    [() => ({ 'object.rows.1.id': 2 }), ['a']],
    [() => ({ 'object.rows.id': { $in: [2, 9] } }), ['a']],
    [() => ({ 'list.deep': 1 }), ['a']],
    [() => ({ 'list.1': 'x' }), ['a']],
    [() => ({ 'list.deep': { $exists: true } }), ['a']],
    [() => ({ 'object.owner': pointer('Team', 'blues') }), ['b']],
    [() => ({ 'object.inner': { list: [1, 2] } }), ['a']],
    // Patterns
    [() => ({ text: { $regex: '^Apple' } }), ['a']],
    [() => ({ text: { $regex: '^\\Qapp\\E' } }), ['b']],
    [() => ({ text: { $regex: '\\QÄrger +1 (\\E' } }), ['d']],
    [() => ({ text: { $regex: '\\Q(100%)\\E$' } }), ['d']],
    [() => ({ text: { $regex: '^\\QApple pie\\E$' } }), ['a']],
    [() => ({ text: { $regex: 'APPLE', $options: 'i' } }), ['a', 'b']],
    [() => ({ text: { $regex: 'äRGER', $options: 'i' } }), ['d']],
    [() => ({ text: { $regex: 'apple.banana', $options: 'i' } }), []],
    [() => ({ text: { $regex: 'apple.banana', $options: 'is' } }), ['b']],
    [() => ({ text: { $regex: '^Banana' } }), []],
    [() => ({ text: { $regex: '^Banana\\.$', $options: 'm' } }), ['b']],
    [() => ({ text: { $regex: ' a p \\x70 le # a comment', $options: 'ix' } }), ['a', 'b']],
    [() => ({ text: { $regex: '\\bpie\\b' } }), ['a']],
    [() => ({ text: { $regex: '\\d{3}%' } }), ['d']],
    [() => ({ text: { $regex: '[[:upper:]]\\w+ [^x-z\\d]' } }), ['a']],
    [() => ({ text: { $regex: 'pp(?!le\\n)' } }), ['a']],
    [() => ({ text: { $regex: '(?<=\\n)B|pi(?:e|)$' } }), ['a', 'b']],
    [() => ({ text: { $regex: '^[^]]*$', $options: 'u' } }), ['a', 'b', 'c', 'd']],
    [() => ({ text: { $regex: '(?i)PIE' } }), ['a']],
    [() => ({ text: { $regex: '^' } }), ['a', 'b', 'c', 'd']],
    [() => ({ list: { $regex: '^xy+z$' } }), ['b']],
    [() => ({ 'object.kind': { $regex: 'w' } }), ['b']],
    [() => ({ number: { $regex: '1' } }), []],
    // Search
    [() => ({ text: { $text: { $search: { $term: 'apples' } } } }), ['a', 'b']],
    [() => ({ text: { $text: { $search: { $term: 'pies bananas' } } } }), ['a', 'b']],
    [() => ({ text: { $text: { $search: { $term: 'apple -pie' } } } }), ['b']],
    [() => ({ text: { $text: { $search: { $term: '"apple pie" nowhere' } } } }), []],
    [() => ({ text: { $text: { $search: { $term: '"apple pie"' } } } }), ['a']],
    [() => ({ text: { $text: { $search: { $term: 'arger' } } } }), ['d']],
    [() => ({ text: { $text: { $search: { $term: 'arger', $diacriticSensitive: true } } } }), []],
    [() => ({ text: { $text: { $search: { $term: 'apple', $caseSensitive: true } } } }), ['b']],
    [() => ({ text: { $text: { $search: { $term: 'Ärger', $language: 'de' } } } }), ['d']],
    [() => ({ text: { $text: { $search: { $term: 'the' } } } }), []],
    [() => ({ text: { $text: { $search: { $term: '-pie' } } } }), []],
    // Alternatives
    [() => ({ $or: [{ number: 1 }, { text: '' }] }), ['a', 'c']],
    [() => ({ $and: [{ number: { $gt: 0 } }, { number: { $lt: 50 } }] }), ['a', 'b']],
    [() => ({ $nor: [{ number: 1 }, { nothing: 1 }] }), ['b', 'd', 'e']],
    [() => ({ number: { $gt: 0 }, $or: [{ yes: true }, { yes: null }] }), ['a', 'd']],
    [
      () => ({ $or: [{ $and: [{ yes: true }, { number: 1 }] }, { $nor: [{ number: { $exists: true } }] }] }),
      ['a', 'e'],
    ],
    // Subqueries
    [() => ({ team: { $inQuery: { className: 'Team', where: { wins: { $gt: 5 } } } } }), ['b']],
    [() => ({ team: { $notInQuery: { className: 'Team', where: { wins: { $gt: 5 } } } } }), ['a', 'c', 'd', 'e']],
    [() => ({ teams: { $inQuery: { className: 'Team', where: { city: 'Rome' } } } }), ['a']],
    [() => ({ 'object.owner': { $inQuery: { className: 'Team', where: {} } } }), ['b']],
    [() => ({ team: { $inQuery: { className: 'Thing', where: {} } } }), []],
    [() => ({ team: { $inQuery: { className: 'Nowhere', where: {} } } }), []],
    [() => ({ team: { $notInQuery: { className: 'Nowhere', where: {} } } }), everything],
    [() => ({ city: { $select: { key: 'city', query: { className: 'Team', where: { wins: 9 } } } } }), ['b']],
    [() => ({ city: { $dontSelect: { key: 'city', query: { className: 'Team', where: {} } } } }), ['c', 'd', 'e']],
    [() => ({ number: { $select: { key: 'city', query: { className: 'Team', where: {} } } } }), []],
    [() => ({ list: { $dontSelect: { key: 'tags', query: { className: 'Team', where: {} } } } }), everything],
    [() => ({ teams: { $select: { key: 'team', query: { className: 'Thing', where: { number: 1 } } } } }), ['a']],
    [() => ({ team: { $select: { key: 'teams', query: { className: 'Thing', where: { number: 1 } } } } }), ['a', 'b']],
    [() => ({ 'object.size': { $select: { key: 'number', query: { className: 'Thing', where: {} } } } }), ['a']],
    // Relations
    [() => ({ $relatedTo: { object: pointer('Team', 'reds'), key: 'things' } }), ['a', 'b']],
    [() => ({ $relatedTo: { object: pointer('Team', 'blues'), key: 'things' }, number: { $gt: 50 } }), []],
    [() => ({ $relatedTo: { object: pointer('Team', 'greens'), key: 'things' } }), []],
    [() => ({ $relatedTo: { object: pointer('Team', 'reds'), key: 'nothing' } }), []],
    // Of an object that is not saved yet.
    [() => ({ $relatedTo: { object: { __type: 'Pointer', className: 'Team' }, key: 'things' } }), []],
    [() => ({ $relatedTo: { object: pointer('Nowhere', 'reds'), key: 'things' } }), []],
    // Places
    [() => ({ place: { $nearSphere: point(60, 10) } }), ['a', 'b']],
    [() => ({ place: { $nearSphere: point(60, 10), $maxDistance: 0.1 } }), ['a']],
    [() => ({ place: { $nearSphere: point(59.9, 10.7), $maxDistanceInKilometers: 2005 } }), ['a']],
    [() => ({ place: { $nearSphere: point(59.9, 10.7), $maxDistanceInKilometers: 2009 } }), ['a', 'b']],
    [() => ({ place: { $nearSphere: point(59.9, 10.7), $maxDistanceInMiles: 1246 } }), ['a']],
    [() => ({ place: { $nearSphere: point(59.9, 10.7), $maxDistanceInMiles: 1249 } }), ['a', 'b']],
    [() => ({ place: { $nearSphere: point(59.9, 10.7), $maxDistance: 0 } }), ['a']],
    [() => ({ place: { $nearSphere: point(59.9, 10.7), $maxDistance: 4 } }), ['a', 'b']],
    [() => ({ place: { $within: { $box: [point(50, 5), point(65, 15)] } } }), ['a']],
    [() => ({ place: { $within: { $box: [point(30, 11), point(65, -170)] } } }), ['b']],
    [() => ({ place: { $within: { $box: [point(65, 15), point(50, 5)] } } }), ['a']],
    [
      () => ({ place: { $geoWithin: { $polygon: [point(35, 5), point(35, 20), point(50, 20), point(50, 5)] } } }),
      ['b'],
    ],
    [
      () => ({
        place: {
          $geoWithin: {
            $polygon: [
              [5, 35],
              [20, 35],
              [20, 50],
            ],
          },
        },
      }),
      ['b'],
    ],
    [() => ({ place: { $geoWithin: { $polygon: square(35, 5, 20) } } }), ['b']],
    [() => ({ place: { $geoWithin: { $centerSphere: [[10, 60], 0.1] } } }), ['a']],
    [() => ({ place: { $geoWithin: { $centerSphere: [point(60, 10), 0.1] } } }), ['a']],
    [() => ({ area: { $geoIntersects: { $point: point(5, 5) } } }), ['a']],
    [() => ({ area: { $geoIntersects: { $point: point(22, 22) } } }), ['b']],
    [() => ({ area: { $geoIntersects: { $point: point(-5, 5) } } }), []],
    [() => ({ number: { $nearSphere: point(0, 0) } }), []],
    // Both kinds at once
    [() => ({ object: { kind: null, $exists: true } }), ['c']],
  ]

  test.for(table.map((row) => [String(row[0]).slice(6), ...row] as const))('%s', async ([, where, found]) => {
    const asked = where()
    expect({ asked, found: await ask('Thing', asked) }).toEqual({ asked, found })
    const negated = { $nor: [asked] }
    const rest = everything.filter((name) => !found.includes(name))
    expect({ negated, found: await ask('Thing', negated) }).toEqual({ negated, found: rest })
  })

  test('relations are asked by whom they hold', async () => {
    expect(await ask('Team', { things: pointer('Thing', 'b') })).toEqual(['blues', 'reds'])
    expect(await ask('Team', { things: { $ne: pointer('Thing', 'a') } })).toEqual(['blues', 'greens'])
    expect(await ask('Team', { things: { $in: [pointer('Thing', 'a'), pointer('Thing', 'c')] } })).toEqual(['reds'])
    expect(await ask('Team', { things: { $nin: [pointer('Thing', 'b')] } })).toEqual(['greens'])
    expect(await ask('Team', { things: { $all: [pointer('Thing', 'a'), pointer('Thing', 'b')] } })).toEqual(['reds'])
    expect(await ask('Team', { things: pointer('Team', 'reds') })).toEqual([])
    expect(await ask('Team', { things: { $exists: false } })).toEqual(['greens'])
    expect(await ask('Team', { things: null })).toEqual(['greens'])
    const inner = { className: 'Thing', where: { number: 1 } }
    expect(await ask('Team', { things: { $inQuery: inner } })).toEqual(['reds'])
    expect(await ask('Team', { things: { $notInQuery: inner } })).toEqual(['blues', 'greens'])
  })
})

describe('errors have their code', () => {
  const table: [where: unknown, code: number][] = [
    ['{', 107],
    [[], 107],
    [{ ACL: {} }, 102],
    [{ $or: {} }, 102],
    [{ $or: [] }, 102],
    [{ $nor: [] }, 102],
    [{ $or: [1] }, 102],
    [{ $foo: 1 }, 105],
    [{ number: { $foo: 1 } }, 107],
    [{ _rperm: 'x' }, 105],
    [{ 'a..b': 1 }, 105],
    [{ 'a b': 1 }, 105],
    [{ 'object.$where': 1 }, 105],
    [{ number: { $in: 1 } }, 107],
    [{ number: { $nin: {} } }, 107],
    [{ list: { $all: 1 } }, 107],
    [{ list: { $all: ['x', { $regex: '^x' }] } }, 107],
    [{ list: { $containedBy: 1 } }, 107],
    [{ number: { $exists: 2 } }, 107],
    [{ number: { $gt: {} } }, 107],
    [{ number: { $gt: { $relativeTime: 'now' } } }, 107],
    [{ date: { $gt: { $relativeTime: 'soon' } } }, 107],
    [{ text: { $regex: 1 } }, 102],
    [{ text: { $regex: 'a', $options: 'g' } }, 102],
    [{ text: { $regex: '(a)\\1' } }, 102],
    [{ text: { $regex: '(?>a)' } }, 102],
    [{ text: { $regex: 'a++' } }, 102],
    [{ text: { $regex: '(' } }, 102],
    [{ text: { $regex: ')' } }, 102],
    [{ text: { $regex: '[' } }, 102],
    [{ text: { $regex: '*' } }, 102],
    [{ text: { $regex: '\\' } }, 102],
    [{ text: { $regex: 'a{2,1}' } }, 102],
    [{ text: { $regex: 'a{300}' } }, 102],
    [{ text: { $regex: '((a{99}){99}){99}' } }, 102],
    [{ text: { $regex: '\\p{L}' } }, 102],
    [{ text: { $regex: 'a'.repeat(1001) } }, 102],
    [{ text: { $regex: '('.repeat(60) } }, 102],
    [{ text: { $text: { $search: 'x' } } }, 107],
    [{ text: { $text: { $search: { $term: 1 } } } }, 107],
    [{ text: { $text: { $search: { $term: 'x', $language: 'xx' } } } }, 107],
    [{ text: { $text: { $search: { $term: 'x', $caseSensitive: 1 } } } }, 107],
    [{ team: { $inQuery: { where: {} } } }, 102],
    [{ team: { $inQuery: { className: 'Team', where: 1 } } }, 102],
    [{ team: { $inQuery: { className: 'Team', where: {}, more: 1 } } }, 102],
    [{ city: { $select: { key: 'city' } } }, 102],
    [{ city: { $select: { key: 'city', query: { className: 'Team', where: {} }, more: 1 } } }, 102],
    [{ $relatedTo: { key: 'things' } }, 102],
    [{ $relatedTo: { object: { __type: 'Pointer', className: 'Team', objectId: 5 }, key: 'things' } }, 102],
    [{ place: { $nearSphere: 1 } }, 107],
    [{ place: { $nearSphere: point(91, 0) } }, 107],
    [{ place: { $nearSphere: point(0, 0), $maxDistance: 'far' } }, 107],
    [{ place: { $within: { $box: [point(0, 0)] } } }, 107],
    [{ place: { $geoWithin: { $polygon: [point(0, 0), point(1, 1)] } } }, 107],
    [{ place: { $geoWithin: { $centerSphere: [[1], 1] } } }, 107],
    [{ place: { $geoWithin: { $centerSphere: [[1, 1], -1] } } }, 107],
    [{ place: { $geoWithin: {} } }, 107],
    [{ area: { $geoIntersects: { $point: 1 } } }, 107],
    [{ team: { __type: 'Pointer' } }, 111],
    [{ date: { __type: 'Date', iso: 'x' } }, 111],
    [{ $or: [{ $or: [{ $or: [{ $or: [{ number: 1 }] }] }] }] }, 102],
    [{ $or: Array.from({ length: 60 }, () => ({ number: 1 })) }, 102],
    [{ list: { $all: Array.from({ length: 60 }, (_, index) => index) } }, 102],
    [nest(3), 102],
  ]
  function nest(depth: number): unknown {
    return depth === 0 ? {} : { team: { $inQuery: { className: 'Thing', where: nest(depth - 1) } } }
  }

  test.for(table)('%j', async ([where, code]) => {
    const answer = await server.call('POST', '/classes/Thing', { _method: 'GET', where }, { master: true })
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(answer.text).not.toMatch(/jsonb|syntax error|relation "|column /i)
  })
})

describe('P3: no text of a caller becomes SQL', () => {
  const attacks = [
    `' or 1=1 --`,
    `"; drop table "Thing"; --`,
    `$1`,
    `\\'`,
    `x' || pg_sleep(5) || '`,
    `") or true or ("`,
    `{"$ne":null}`,
    `%`,
    `\\`,
  ]
  const positions: [name: string, request: (attack: string) => Fields][] = [
    ['value', (attack) => ({ where: { text: attack } })],
    ['key', (attack) => ({ where: { [attack]: 1 } })],
    ['dotted key', (attack) => ({ where: { [`object.${attack}`]: 1 } })],
    ['list', (attack) => ({ where: { list: { $in: [attack] }, number: { $in: [attack] } } })],
    ['regex', (attack) => ({ where: { text: { $regex: attack } } })],
    ['quoted regex', (attack) => ({ where: { text: { $regex: `^\\Q${attack}\\E` } } })],
    ['search', (attack) => ({ where: { text: { $text: { $search: { $term: attack } } } } })],
    ['language', (attack) => ({ where: { text: { $text: { $search: { $term: 'x', $language: attack } } } } })],
    ['pointer', (attack) => ({ where: { team: { __type: 'Pointer', className: 'Team', objectId: attack } } })],
    ['class of pointer', (attack) => ({ where: { team: { __type: 'Pointer', className: attack, objectId: 'x' } } })],
    ['subquery class', (attack) => ({ where: { team: { $inQuery: { className: attack, where: {} } } } })],
    [
      'select key',
      (attack) => ({ where: { city: { $select: { key: attack, query: { className: 'Team', where: {} } } } } }),
    ],
    ['relation key', (attack) => ({ where: { $relatedTo: { object: pointer('Team', 'reds'), key: attack } } })],
    [
      'relation class',
      (attack) => ({
        where: { $relatedTo: { object: { __type: 'Pointer', className: attack, objectId: 'x' }, key: 'a' } },
      }),
    ],
    ['order', (attack) => ({ order: attack })],
    ['order inside', (attack) => ({ order: `object.${attack}` })],
    ['keys', (attack) => ({ keys: attack })],
    ['excludeKeys', (attack) => ({ excludeKeys: attack })],
    ['include', (attack) => ({ include: attack })],
    ['redirect', (attack) => ({ redirectClassNameForKey: attack })],
    ['limit', (attack) => ({ limit: attack })],
    ['skip', (attack) => ({ skip: attack })],
    ['cursor', (attack) => ({ cursor: attack })],
    ['hint', (attack) => ({ hint: attack })],
    ['date', (attack) => ({ where: { date: { $gt: attack } } })],
    ['file', (attack) => ({ where: { photo: { __type: 'File', name: attack } } })],
    ['bytes', (attack) => ({ where: { data: { __type: 'Bytes', base64: attack } } })],
  ]

  test.for(positions)('P3: as %s', async ([, request]) => {
    for (const attack of attacks) {
      const input = request(attack)
      const answer = await server.call('POST', '/classes/Thing', { _method: 'GET', ...input }, { master: true })
      expect([200, 400], `${JSON.stringify(input)} ${answer.text}`).toContain(answer.status)
      expect(answer.text).not.toMatch(/syntax error|jsonb|pg_catalog|operator does not|relation "/i)
      if (answer.status === 200 && input.where) expect((answer.body.results as unknown[]).length).toBeLessThan(5)
    }
    expect(await ask('Thing', {})).toEqual(everything)
  })

  test('P3: as the name of a class, also of one that PostgreSQL has itself', async () => {
    for (const name of [...attacks, 'pg_class', 'pg_user', 'information_schema', '_User; drop table "_User"']) {
      const path = `/classes/${encodeURIComponent(name)}`
      const found = await server.call('GET', path, undefined, { master: true })
      expect([found.status, found.body.results]).toEqual([200, []])
      expect((await server.call('GET', `${path}/x`, undefined, { master: true })).body.code).toBe(101)
    }
  })
})
