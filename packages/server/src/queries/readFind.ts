import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { type Condition, findPart } from './Condition.ts'
import { readName, resolvePlace } from './Place.ts'
import { checkAskable, type QueryScope } from './QueryParser.ts'
import type { Sort } from './Sort.ts'

/** Query options besides the class: parsed from the parameters, names not yet resolved. */
export type Find = {
  readonly where: WireValue | undefined
  readonly order: readonly string[]
  readonly limit: number
  readonly skip: number
  /** `estimate`: from the planner's statistics where counting is expensive. */
  readonly count: boolean | 'estimate'
  /** `undefined`: all of them. */
  readonly keys: readonly string[] | undefined
  readonly excludeKeys: readonly string[]
  readonly include: readonly string[]
  readonly includeAll: boolean
  readonly redirectClassNameForKey: string | undefined
  readonly hint: WireValue | undefined
  readonly explain: boolean
  /** `true` for the first page; then the cursor of the page before. */
  readonly cursor: string | true | undefined
}

type Input = { [name: string]: WireValue }

const known = new Set([
  'where',
  'order',
  'limit',
  'skip',
  'count',
  'keys',
  'excludeKeys',
  'include',
  'includeAll',
  'redirectClassNameForKey',
  'hint',
  'explain',
  'comment',
  'cursor',
  'maxStaleness',
  'readPreference',
  'includeReadPreference',
  'subqueryReadPreference',
])

/** Reads the parameters of a query. An unknown name is an error of the caller. */
export function readFind({ config, access }: QueryScope, input: Input): Find {
  for (const name of Object.keys(input)) {
    if (!known.has(name)) refuse(`Invalid parameter for query: ${name.slice(0, 100)}`)
  }
  const limit = readCount(input.limit, 'limit') ?? config.defaultLimit
  const find: Find = {
    where: input.where,
    order: readNames(input.order, 'order'),
    limit: access.isMaster ? limit : Math.min(limit, config.maxLimit),
    skip: readCount(input.skip, 'skip') ?? 0,
    count: readCounting(input.count),
    ...readSelection(input),
    includeAll: readFlag(input.includeAll, 'includeAll'),
    redirectClassNameForKey: readText(input.redirectClassNameForKey, 'redirectClassNameForKey'),
    hint: input.hint,
    explain: readFlag(input.explain, 'explain'),
    cursor: cursorOption(input.cursor),
  }
  if (find.cursor !== undefined && find.skip > 0) refuse('cursor and skip cannot be used together.')
  return find
}

/** A query for one id is a read of one object. */
export function isGet(where: WireValue | undefined): boolean {
  if (where === null || typeof where !== 'object') return false
  const entries = Object.entries(where)
  return entries.length === 1 && entries[0]?.[0] === 'objectId' && typeof entries[0][1] === 'string'
}

/** Requested parts of documents: parameters shared by queries and reads of one document. */
export function readSelection(input: Input): Pick<Find, 'keys' | 'excludeKeys' | 'include'> {
  return {
    keys: input.keys === undefined || input.keys === null ? undefined : readNames(input.keys, 'keys'),
    excludeKeys: readNames(input.excludeKeys, 'excludeKeys'),
    include: readNames(input.include, 'include'),
  }
}

function readNames(value: WireValue | undefined, name: string): string[] {
  if (value === undefined || value === null) return []
  const list = Array.isArray(value) ? value : [value]
  if (list.some((item) => typeof item !== 'string')) refuse(`${name} must be a list of names separated by commas.`)
  return (list as string[])
    .flatMap((item) => item.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readCount(value: WireValue | undefined, name: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
    refuse(`${name} must be a whole number from 0 up.`)
  }
  return number
}

function readFlag(value: WireValue | undefined, name: string): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '' || value === '0')
    return false
  if (value === 'false') return false
  if (value === true || value === 'true') return true
  // The older clients say how detailed a plan should be.
  if (typeof value === 'string' || typeof value === 'number') return true
  return refuse(`${name} must be true or false.`)
}

/** Rejects other values: counting exactly for a misspelled `estimate` can be expensive. */
function readCounting(value: WireValue | undefined): boolean | 'estimate' {
  if (value === 'estimate') return value
  if (value === 1 || value === '1') return true
  if (typeof value === 'number' && value !== 0) return refuse(unknownCount)
  if (typeof value === 'string' && !['', '0', 'true', 'false'].includes(value)) return refuse(unknownCount)
  return readFlag(value, 'count')
}

const unknownCount = 'count must be 1, 0, true, false or estimate.'

function readText(value: WireValue | undefined, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : refuse(`${name} must be text.`)
}

function cursorOption(value: WireValue | undefined): string | true | undefined {
  if (value === undefined || value === null || value === false) return undefined
  if (value === true || value === 'true') return true
  return typeof value === 'string' ? value : refuse('cursor must be true, or the cursor of the previous page.')
}

function refuse(message: string): never {
  throw new CountersignError('InvalidQuery', message)
}

const aliases = new Map([
  ['_created_at', 'createdAt'],
  ['_updated_at', 'updatedAt'],
  ['_id', 'objectId'],
])

const mostSorts = 10

/** Order of a query: as given; else by distance for `$near`. */
export function readOrder(
  scope: QueryScope,
  schema: ClassSchema,
  order: readonly string[],
  condition: Condition,
): Sort[] {
  if (order.length > mostSorts) {
    throw new CountersignError('InvalidQuery', `A query can be sorted by at most ${mostSorts} fields.`)
  }
  const sorts = order.flatMap((entry) => readSort(scope, schema, entry, condition) ?? [])
  if (order.length > 0) return sorts
  const near = findPart(condition, 'near')
  return near?.kind === 'near' && near.sorted ? [{ by: 'distance', near, descending: false }] : []
}

function readSort(scope: QueryScope, schema: ClassSchema, entry: string, condition: Condition): Sort | undefined {
  const descending = entry.startsWith('-')
  const written = entry.replace(/^[+-]/, '')
  if (written === '$score') {
    const text = findPart(condition, 'text')
    // The best first, as clients that ask for the score expect it.
    return text?.kind === 'text' ? { by: 'score', text, descending: !descending } : undefined
  }
  const name = readName(aliases.get(written) ?? written, 'field name')
  checkAskable(scope, schema, name[0])
  const place = resolvePlace(schema, name)
  if (place?.type === 'GeoPoint' || place?.type === 'Polygon') {
    throw new CountersignError('InvalidQuery', `A query cannot be sorted by ${written}; use $nearSphere instead.`)
  }
  return place && { by: 'place', place, descending }
}
