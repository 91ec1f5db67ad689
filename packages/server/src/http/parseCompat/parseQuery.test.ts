import Parse from 'parse/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

const boxes = new Map<string, Parse.Object>()
const names = (found: Parse.Object[]) => found.map((object) => object.get('name'))
const query = () => new Parse.Query('Box').ascending('name')
const asMaster = { useMasterKey: true }

const create = (className: string, fields: Parse.Attributes): Promise<Parse.Object> =>
  new Parse.Object(className, fields).save(null, asMaster)

const server = serveTests()
beforeAll(async () => {
  const { initialize } = Parse as unknown as { initialize(appId: string, jsKey?: string, masterKey?: string): void }
  initialize(server.appId, undefined, server.masterKey)
  Parse.serverURL = server.serverUrl
  const crate = await create('Crate', { label: 'big', city: 'Oslo' })
  const small = await create('Crate', { label: 'small', city: 'Rome', inner: crate })
  for (const index of [0, 1, 2, 3, 4]) {
    const box = await create('Box', {
      name: `box${index}`,
      number: index,
      text: ['alpha beta', 'Alpha.gamma', 'beta', 'delta(1)', 'the end'][index],
      tags: [['a', 'ab'], ['b'], ['a', 'c'], [], ['abc', 'cab']][index],
      place: new Parse.GeoPoint(index * 10, index * 10),
      area: new Parse.Polygon([
        [index, index],
        [index, index + 0.5],
        [index + 0.5, index + 0.5],
        [index + 0.5, index],
      ]),
      when: new Date(Date.UTC(2020, index, 1)),
      city: index === 0 ? 'Oslo' : 'Paris',
      meta: { size: index, parts: [{ id: index }] },
      crate: index % 2 === 0 ? crate : small,
      crates: [crate, small],
      ...(index > 2 && { extra: index === 3 ? null : 'some' }),
    })
    boxes.set(`box${index}`, box)
  }
  crate.relation('boxes').add([boxes.get('box1') as Parse.Object, boxes.get('box2') as Parse.Object])
  await crate.save(null, asMaster)
  boxes.set('crate', crate)
})

describe('the public parse client asks', () => {
  const crates = () => new Parse.Query('Crate')
  const at = (latitude: number, longitude: number) => new Parse.GeoPoint(latitude, longitude)
  const table: [name: string, ask: (query: Parse.Query) => Parse.Query, found: number[]][] = [
    ['equalTo', (q) => q.equalTo('number', 2), [2]],
    ['equalTo array', (q) => q.equalTo('tags', 'a'), [0, 2]],
    ['equalTo pointer', (q) => q.equalTo('crate', boxes.get('crate')), [0, 2, 4]],
    ['equalTo date', (q) => q.equalTo('when', new Date(Date.UTC(2020, 3, 1))), [3]],
    ['equalTo object', (q) => q.equalTo('meta', { size: 1, parts: [{ id: 1 }] }), [1]],
    ['equalTo dotted', (q) => q.equalTo('meta.size', 3), [3]],
    ['equalTo into an array', (q) => q.equalTo('meta.parts.id', 3), [3]],
    ['equalTo undefined', (q) => q.equalTo('extra', undefined), [0, 1, 2]],
    ['notEqualTo', (q) => q.notEqualTo('number', 2), [0, 1, 3, 4]],
    ['notEqualTo missing', (q) => q.notEqualTo('extra', 'some'), [0, 1, 2, 3]],
    ['lessThan', (q) => q.lessThan('number', 2), [0, 1]],
    ['lessThanOrEqualTo', (q) => q.lessThanOrEqualTo('number', 2), [0, 1, 2]],
    ['greaterThan', (q) => q.greaterThan('when', new Date(Date.UTC(2020, 3, 1))), [4]],
    ['greaterThanOrEqualTo', (q) => q.greaterThanOrEqualTo('text', 'beta'), [2, 3, 4]],
    ['containedIn', (q) => q.containedIn('number', [1, 4, 'x']), [1, 4]],
    ['notContainedIn', (q) => q.notContainedIn('tags', ['a', 'b']), [3, 4]],
    ['containedBy', (q) => q.containedBy('tags', ['a', 'b', 'c']), [1, 2, 3]],
    ['containsAll', (q) => q.containsAll('tags', ['a', 'c']), [2]],
    ['containsAllStartingWith', (q) => q.containsAllStartingWith('tags', ['ab', 'ca']), [4]],
    ['exists', (q) => q.exists('extra'), [3, 4]],
    ['doesNotExist', (q) => q.doesNotExist('extra'), [0, 1, 2]],
    ['matches', (q) => q.matches('text', /^ALPHA/i), [0, 1]],
    ['matches with modifiers', (q) => q.matches('text', 'a . p', 'ix'), [0, 1]],
    ['contains', (q) => q.contains('text', 'a.g'), [1]],
    ['contains \\E', (q) => q.contains('text', '\\E'), []],
    ['startsWith', (q) => q.startsWith('text', 'delta('), [3]],
    ['endsWith', (q) => q.endsWith('text', 'beta'), [0, 2]],
    ['fullText', (q) => q.fullText('text', 'beta'), [0, 2]],
    ['fullText with options', (q) => q.fullText('text', 'alpha', { language: 'en', caseSensitive: true }), [0]],
    ['matchesQuery', (q) => q.matchesQuery('crate', crates().equalTo('label', 'small')), [1, 3]],
    ['doesNotMatchQuery', (q) => q.doesNotMatchQuery('crate', crates().equalTo('label', 'small')), [0, 2, 4]],
    [
      'matchesQuery in matchesQuery',
      (q) => q.matchesQuery('crate', crates().matchesQuery('inner', crates().equalTo('label', 'big'))),
      [1, 3],
    ],
    ['matchesKeyInQuery', (q) => q.matchesKeyInQuery('city', 'city', crates()), [0]],
    ['doesNotMatchKeyInQuery', (q) => q.doesNotMatchKeyInQuery('city', 'city', crates()), [1, 2, 3, 4]],
    ['withinRadians', (q) => q.withinRadians('place', at(0, 0), 0.3), [0, 1]],
    ['withinMiles', (q) => q.withinMiles('place', at(0, 0), 1000), [0, 1]],
    ['withinKilometers', (q) => q.withinKilometers('place', at(0, 0), 1600), [0, 1]],
    ['withinKilometers unsorted', (q) => q.withinKilometers('place', at(0, 0), 1600, false), [0, 1]],
    ['withinGeoBox', (q) => q.withinGeoBox('place', at(5, 5), at(25, 25)), [1, 2]],
    [
      'withinPolygon',
      (q) => q.withinPolygon('place', [at(5, 5), at(5, 25), at(25, 25), at(25, 5)] as unknown as number[][]),
      [1, 2],
    ],
    ['polygonContains', (q) => q.polygonContains('area', at(2.2, 2.2)), [2]],
    ['skip and limit', (q) => q.skip(1).limit(2), [1, 2]],
    ['addDescending', (q) => q.descending('city').addAscending('number'), [1, 2, 3, 4, 0]],
    ['descending', (q) => q.descending('number'), [4, 3, 2, 1, 0]],
    ['several on one field', (q) => q.greaterThan('number', 0).lessThan('number', 4).notEqualTo('number', 2), [1, 3]],
  ]
  test.for(table)('%s', async ([, ask, found]) => {
    expect(names(await ask(query()).find())).toEqual(found.map((index) => `box${index}`))
  })

  test('near sorts by distance', async () => {
    const found = await new Parse.Query('Box').near('place', new Parse.GeoPoint(19, 19)).limit(3).find()
    expect(names(found)).toEqual(['box2', 'box1', 'box3'])
  })

  test('or, and, nor', async () => {
    const [one, two] = [new Parse.Query('Box').equalTo('number', 1), new Parse.Query('Box').equalTo('tags', 'a')]
    expect(names(await Parse.Query.or(one, two).ascending('name').find())).toEqual(['box0', 'box1', 'box2'])
    expect(names(await Parse.Query.and(one, two).find())).toEqual([])
    expect(names(await Parse.Query.nor(one, two).ascending('name').find())).toEqual(['box3', 'box4'])
    const nested = Parse.Query.or(Parse.Query.and(one, new Parse.Query('Box').exists('text')), two)
    expect(names(await nested.equalTo('city', 'Paris').ascending('name').find())).toEqual(['box1', 'box2'])
  })

  test('get, first, count, withCount, findAll, each, map, reduce, filter', async () => {
    const id = boxes.get('box2')?.id as string
    expect((await new Parse.Query('Box').get(id)).get('name')).toBe('box2')
    await expect(new Parse.Query('Box').get('nobody')).rejects.toMatchObject({ code: 101 })
    expect((await query().descending('name').first())?.get('name')).toBe('box4')
    expect(await new Parse.Query('Box').equalTo('number', 99).first()).toBeUndefined()
    expect(await query().greaterThan('number', 1).count()).toBe(3)
    const counted = (await query().limit(1).withCount().find()) as unknown as { results: unknown[]; count: number }
    expect([counted.results.length, counted.count]).toEqual([1, 5])
    expect(await new Parse.Query('Box').findAll({ batchSize: 2 })).toHaveLength(5)
    const seen: string[] = []
    await new Parse.Query('Box').each((object) => void seen.push(object.get('name')), { batchSize: 2 })
    expect(seen.sort()).toEqual(['box0', 'box1', 'box2', 'box3', 'box4'])
    expect(await new Parse.Query('Box').reduce((sum: number, object) => sum + object.get('number'), 0)).toBe(10)
    expect(await new Parse.Query('Box').filter((object) => object.get('number') > 2)).toHaveLength(2)
    expect((await new Parse.Query('Box').map((object) => object.get('number'))).sort()).toEqual([0, 1, 2, 3, 4])
  })

  test('include, includeAll, select, exclude', async () => {
    const included = await query().equalTo('number', 1).include('crate.inner', 'crates').first()
    expect(included?.get('crate').get('inner').get('label')).toBe('big')
    expect(included?.get('crates').map((crate: Parse.Object) => crate.get('label'))).toEqual(['big', 'small'])
    const all = await query().equalTo('number', 1).includeAll().first()
    expect(all?.get('crate').get('label')).toBe('small')
    const selected = await query().equalTo('number', 1).select('text', 'crate.label').first()
    expect([selected?.get('text'), selected?.has('number'), selected?.get('crate').get('label')]).toEqual([
      'Alpha.gamma',
      false,
      'small',
    ])
    const excluded = await query().equalTo('number', 1).exclude('text', 'tags').first()
    expect([excluded?.has('text'), excluded?.has('tags'), excluded?.get('number')]).toEqual([false, false, 1])
  })

  test('full text sorted by score', async () => {
    const found = await new Parse.Query('Box').fullText('text', 'alpha').sortByTextScore().find()
    expect(names(found)).toEqual(['box0'])
    expect(found[0]?.get('score')).toBeGreaterThan(0)
  })

  test('relations, from both sides', async () => {
    const crate = boxes.get('crate') as Parse.Object
    expect(names(await crate.relation('boxes').query().ascending('name').find())).toEqual(['box1', 'box2'])
    expect(await crate.relation('boxes').query().equalTo('number', 2).count()).toBe(1)
    const owners = await new Parse.Query('Crate').equalTo('boxes', boxes.get('box1')).find()
    expect(owners.map(({ id }) => id)).toEqual([crate.id])
    const matching = new Parse.Query('Crate').matchesQuery('boxes', new Parse.Query('Box').equalTo('number', 2))
    expect((await matching.find()).map(({ id }) => id)).toEqual([crate.id])
    // A relation that is not known to the client yet asks its class of the server.
    const unknown = Parse.Object.extend('Crate')
      .createWithoutData(crate.id as string)
      .relation('boxes')
    expect((await unknown.query().find())[0]?.className).toBe('Box')
  })

  test('queries as JSON, hint, explain, comment', async () => {
    const json = query().equalTo('number', 1).toJSON()
    expect(names(await Parse.Query.fromJSON('Box', json).find())).toEqual(['box1'])
    expect(names(await query().comment('why').equalTo('number', 1).find())).toEqual(['box1'])
    const plan = await query().explain(true).find(asMaster)
    expect(JSON.stringify(plan)).toContain('Node Type')
    await expect(query().explain(true).find()).rejects.toMatchObject({ code: 102 })
    await expect(query().hint('nowhere').find(asMaster)).rejects.toMatchObject({ code: 102 })
  })

  test('mistakes reach the client with their code', async () => {
    await expect(query().matches('text', '(').find()).rejects.toMatchObject({ code: 102 })
    await expect(query().equalTo('ACL', 1).find()).rejects.toMatchObject({ code: 102 })
    await expect(query().equalTo('_rperm', 1).find()).rejects.toMatchObject({ code: 105 })
    expect(await new Parse.Query('Nowhere').find()).toEqual([])
    expect(await new Parse.Query('Nowhere').count()).toBe(0)
  })
})
