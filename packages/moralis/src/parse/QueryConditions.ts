import { type Distance, type GeoPoint, ValidationError, where } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { MoralisGeoPoint } from './MoralisGeoPoint.ts'
import { unwrapValue } from './wrapValue.ts'

type Keys = (string | readonly string[])[]

/** Conditions and options of a query. They need no client, so all clients share them. */
export class QueryConditions {
  className: string
  _where: Attributes = {}
  _options: Attributes = {}
  _withCount = false

  constructor(target: Loose) {
    const name = typeof target === 'string' ? target : target?.className
    if (typeof name !== 'string') {
      throw new TypeError('A ParseQuery must be constructed with a ParseObject or class name.')
    }
    this.className = name
  }

  _add(key: string, conditions: object): this {
    const before = this._where[key]
    const kept = before && Object.keys(before).every((name) => name.startsWith('$')) ? before : {}
    this._where = { ...this._where, [key]: { ...kept, ...(unwrapValue(conditions) as object) } }
    return this
  }

  equalTo(given: string | object, value?: unknown): this {
    const values = typeof given === 'string' ? { [given]: value } : given
    for (const [key, wanted] of Object.entries(values)) {
      if (wanted === undefined) this.doesNotExist(key)
      else this._where = { ...this._where, [key]: unwrapValue(wanted) }
    }
    return this
  }

  exists(key: string): this {
    return this._add(key, { $exists: true })
  }

  doesNotExist(key: string): this {
    return this._add(key, { $exists: false })
  }

  matches(key: string, pattern: RegExp | string, modifiers = ''): this {
    const { source, flags } = typeof pattern === 'string' ? { source: pattern, flags: '' } : pattern
    const options = [...new Set(flags.replaceAll(/[^im]/g, '') + modifiers)].join('')
    return this._add(key, { $regex: source, ...(options && { $options: options }) })
  }

  containsAllStartingWith(key: string, texts: readonly string[]): this {
    return this._add(key, { $all: texts.map(where.startsWith) })
  }

  fullText(key: string, term: string, options: Attributes = {}): this {
    return this._add(key, where.search(term, options))
  }

  sortByTextScore(): this {
    return this.ascending('$score').select('$score')
  }

  matchesQuery(key: string, query: QueryConditions): this {
    return this._add(key, where.inQuery(query._toSubquery()))
  }

  doesNotMatchQuery(key: string, query: QueryConditions): this {
    return this._add(key, where.notInQuery(query._toSubquery()))
  }

  matchesKeyInQuery(key: string, queryKey: string, query: QueryConditions): this {
    return this._add(key, where.matchesKeyInQuery(query._toSubquery(), queryKey))
  }

  doesNotMatchKeyInQuery(key: string, queryKey: string, query: QueryConditions): this {
    return this._add(key, where.doesNotMatchKeyInQuery(query._toSubquery(), queryKey))
  }

  near(key: string, point: Loose): this {
    return this._add(key, where.near(toPoint(point)))
  }

  _within(key: string, given: Loose, distance: Distance, sorted: boolean): this {
    const point = toPoint(given)
    return this._add(key, sorted ? where.near(point, distance) : where.withinCircle(point, distance))
  }

  withinRadians(key: string, point: Loose, radians: number, sorted = true): this {
    return this._within(key, point, { radians }, sorted)
  }

  withinKilometers(key: string, point: Loose, kilometers: number, sorted = true): this {
    return this._within(key, point, { kilometers }, sorted)
  }

  withinMiles(key: string, point: Loose, miles: number, sorted = true): this {
    return this._within(key, point, { miles }, sorted)
  }

  withinGeoBox(key: string, southwest: Loose, northeast: Loose): this {
    return this._add(key, where.withinBox(toPoint(southwest), toPoint(northeast)))
  }

  withinPolygon(key: string, points: readonly Loose[]): this {
    return this._add(key, where.withinPolygon(points.map(toPoint)))
  }

  polygonContains(key: string, point: Loose): this {
    return this._add(key, where.intersects(toPoint(point)))
  }

  _list(name: string, keys: Keys, before: readonly string[] = this._options[name] ?? []): this {
    this._options = { ...this._options, [name]: [...before, ...readKeys(keys)] }
    return this
  }

  ascending(...keys: Keys): this {
    return this._list('order', keys, [])
  }

  addAscending(...keys: Keys): this {
    return this._list('order', keys)
  }

  descending(...keys: Keys): this {
    return this._list('order', [readKeys(keys).map((key) => `-${key}`)], [])
  }

  addDescending(...keys: Keys): this {
    return this._list('order', [readKeys(keys).map((key) => `-${key}`)])
  }

  include(...keys: Keys): this {
    return this._list('include', keys)
  }

  includeAll(): this {
    return this.include('*')
  }

  select(...keys: Keys): this {
    return this._list('keys', keys)
  }

  exclude(...keys: Keys): this {
    return this._list('excludeKeys', keys)
  }

  limit(count: number): this {
    if (typeof count !== 'number') throw new ValidationError('You can only set the limit to a numeric value')
    this._options = { ...this._options, limit: count }
    return this
  }

  skip(count: number): this {
    if (typeof count !== 'number' || count < 0) throw new ValidationError('You can only skip by a positive number')
    this._options = { ...this._options, skip: count }
    return this
  }

  withCount(count = true): this {
    this._withCount = count
    return this
  }

  _toSubquery() {
    return { className: this.className, where: this._where }
  }

  _toQuery(): Loose {
    return { ...this._options, ...this._toSubquery() }
  }

  withJSON({ where, className: _, ...options }: Attributes): this {
    if (where) this._where = where
    const lists = ['order', 'include', 'keys', 'excludeKeys']
    for (const [name, value] of Object.entries(options)) {
      const isText = lists.includes(name) && typeof value === 'string'
      if (value !== undefined) this._options = { ...this._options, [name]: isText ? value.split(',') : value }
    }
    return this
  }

  toJSON(): Attributes {
    const texts = Object.entries(this._options).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join() : value,
    ])
    return { where: this._where, ...Object.fromEntries(texts) }
  }
}

function toPoint(given: Loose): GeoPoint {
  return new MoralisGeoPoint(given).toJSON()
}

function readKeys(keys: Keys): string[] {
  return keys.flat().flatMap((key) => key.replaceAll(/\s/g, '').split(','))
}
