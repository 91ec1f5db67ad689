import { CountersignError } from '@countersign/protocol'
import { quotePattern } from '../../core/documents/conditions/quotePattern.ts'
import { toRadians } from '../../core/documents/conditions/toRadians.ts'
import { ValidationError } from '../../core/errors/ValidationError.ts'
import type { Attributes, Loose } from '../Loose.ts'
import { MoralisGeoPoint } from './MoralisGeoPoint.ts'
import type { MoralisObject } from './MoralisObject.ts'
import type { MoralisQueryClass } from './MoralisQuery.ts'
import type { ParseKit } from './ParseKit.ts'
import { unwrapValue } from './unwrapValue.ts'

type Keys = (string | readonly string[])[]

/** Conditions that are an operator and its value. */
const operators = {
  notEqualTo: '$ne',
  lessThan: '$lt',
  lessThanOrEqualTo: '$lte',
  greaterThan: '$gt',
  greaterThanOrEqualTo: '$gte',
  containedIn: '$in',
  notContainedIn: '$nin',
  containedBy: '$containedBy',
  containsAll: '$all',
} as const

/** Conditions on a text, and what stands before and after it in the pattern. */
const patterns: Record<string, readonly [string, string]> = {
  startsWith: ['^', ''],
  endsWith: ['', '$'],
  contains: ['', ''],
}

/** `Moralis.Query` of a client. */
export function createQueryClass(kit: ParseKit): MoralisQueryClass {
  class ParseQuery {
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

    _add(key: string, operator: string, value: unknown): this {
      const before = this._where[key]
      const conditions = before && Object.keys(before).every((name) => name.startsWith('$')) ? before : {}
      this._where = { ...this._where, [key]: { ...conditions, [operator]: unwrapValue(value) } }
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
      return this._add(key, '$exists', true)
    }

    doesNotExist(key: string): this {
      return this._add(key, '$exists', false)
    }

    matches(key: string, pattern: RegExp | string, modifiers = ''): this {
      const { source, flags } = typeof pattern === 'string' ? { source: pattern, flags: '' } : pattern
      const options = [...new Set(flags.replaceAll(/[^im]/g, '') + modifiers)].join('')
      this._add(key, '$regex', source)
      return options ? this._add(key, '$options', options) : this
    }

    containsAllStartingWith(key: string, texts: readonly string[]): this {
      return this._add(
        key,
        '$all',
        texts.map((text) => ({ $regex: `^${quotePattern(text)}` })),
      )
    }

    fullText(key: string, term: string, options: Attributes = {}): this {
      const chosen = Object.entries(options).map(([name, value]) => [`$${name}`, value])
      return this._add(key, '$text', { $search: { $term: term, ...Object.fromEntries(chosen) } })
    }

    sortByTextScore(): this {
      return this.ascending('$score').select('$score')
    }

    matchesQuery(key: string, query: ParseQuery): this {
      return this._add(key, '$inQuery', query._toSubquery())
    }

    doesNotMatchQuery(key: string, query: ParseQuery): this {
      return this._add(key, '$notInQuery', query._toSubquery())
    }

    matchesKeyInQuery(key: string, queryKey: string, query: ParseQuery): this {
      return this._add(key, '$select', { key: queryKey, query: query._toSubquery() })
    }

    doesNotMatchKeyInQuery(key: string, queryKey: string, query: ParseQuery): this {
      return this._add(key, '$dontSelect', { key: queryKey, query: query._toSubquery() })
    }

    near(key: string, point: Loose): this {
      return this._add(key, '$nearSphere', new MoralisGeoPoint(point))
    }

    withinRadians(key: string, point: Loose, distance: number, sorted = true): this {
      if (sorted) return this.near(key, point)._add(key, '$maxDistance', distance)
      return this._add(key, '$geoWithin', { $centerSphere: [new MoralisGeoPoint(point), distance] })
    }

    withinKilometers(key: string, point: Loose, kilometers: number, sorted = true): this {
      return this.withinRadians(key, point, toRadians({ kilometers }), sorted)
    }

    withinMiles(key: string, point: Loose, miles: number, sorted = true): this {
      return this.withinRadians(key, point, toRadians({ miles }), sorted)
    }

    withinGeoBox(key: string, southwest: Loose, northeast: Loose): this {
      return this._add(key, '$within', { $box: [new MoralisGeoPoint(southwest), new MoralisGeoPoint(northeast)] })
    }

    withinPolygon(key: string, points: readonly Loose[]): this {
      return this._add(key, '$geoWithin', { $polygon: points.map((point) => new MoralisGeoPoint(point)) })
    }

    polygonContains(key: string, point: Loose): this {
      return this._add(key, '$geoIntersects', { $point: new MoralisGeoPoint(point) })
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

    async find(): Promise<Loose> {
      const { findObjects } = await import('./runQuery.ts')
      const { results, count } = await findObjects(kit, this._toQuery(), this._withCount)
      return this._withCount ? { results, count } : results
    }

    async findAll(): Promise<MoralisObject[]> {
      const all: MoralisObject[] = []
      await this.each((object) => void all.push(object))
      return all
    }

    async first(): Promise<MoralisObject | undefined> {
      const found: MoralisObject[] = await ParseQuery.fromJSON(this.className, this._toQuery()).limit(1).find()
      return found[0]
    }

    async get(objectId: string): Promise<MoralisObject> {
      const found = await ParseQuery.fromJSON(this.className, this._toQuery()).equalTo('objectId', objectId).first()
      if (found) return found
      throw new CountersignError('ObjectNotFound', 'Object not found.')
    }

    async count(): Promise<number> {
      const { countFound } = await import('./runQuery.ts')
      return countFound(kit, this._toQuery())
    }

    async each(callback: (object: MoralisObject) => PromiseLike<void> | void): Promise<void> {
      const { findEach } = await import('./runQuery.ts')
      return findEach(kit, this._toQuery(), callback)
    }

    async map(callback: (object: MoralisObject, index: number, query: this) => Loose): Promise<Loose[]> {
      const answers: Loose[] = []
      await this.each(async (object) => void answers.push(await callback(object, answers.length, this)))
      return answers
    }

    async filter(callback: (object: MoralisObject, index: number, query: this) => Loose): Promise<MoralisObject[]> {
      const all = await this.findAll()
      const wanted = await Promise.all(all.map((object, index) => callback(object, index, this)))
      return all.filter((_, index) => wanted[index])
    }

    async reduce(callback: (before: Loose, object: MoralisObject, index: number) => Loose, initial: Loose) {
      let value = initial
      let index = 0
      await this.each(async (object) => {
        value = await callback(value, object, index++)
      })
      return value
    }

    async subscribe(): Promise<Loose> {
      const { openSubscription } = await import('./openSubscription.ts')
      return openSubscription(kit, this._toQuery())
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

    static or(...queries: ParseQuery[]): ParseQuery {
      return join('$or', queries)
    }

    static and(...queries: ParseQuery[]): ParseQuery {
      return join('$and', queries)
    }

    static nor(...queries: ParseQuery[]): ParseQuery {
      return join('$nor', queries)
    }

    static fromJSON(className: string, json: Attributes): ParseQuery {
      return new ParseQuery(className).withJSON(json)
    }
  }

  for (const [name, operator] of Object.entries(operators)) {
    Object.defineProperty(ParseQuery.prototype, name, {
      value(this: ParseQuery, key: string, value: unknown) {
        return this._add(key, operator, value)
      },
    })
  }

  for (const [name, [before, after]] of Object.entries(patterns)) {
    Object.defineProperty(ParseQuery.prototype, name, {
      value(this: ParseQuery, key: string, text: string) {
        return this._add(key, '$regex', before + quotePattern(text) + after)
      },
    })
  }

  function join(operator: string, queries: readonly ParseQuery[]): ParseQuery {
    const names = new Set(queries.map(({ className }) => className))
    const [name] = names
    if (name === undefined || names.size > 1) throw new Error('All queries must be for the same class.')
    const joined = new ParseQuery(name)
    joined._where = { [operator]: queries.map(({ _where }) => _where) }
    return joined
  }

  return ParseQuery as unknown as MoralisQueryClass
}

function readKeys(keys: Keys): string[] {
  return keys.flat().flatMap((key) => key.replaceAll(/\s/g, '').split(','))
}
