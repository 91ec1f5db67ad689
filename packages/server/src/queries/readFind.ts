import { hash } from 'node:crypto'
import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { parseJson } from '../encoding/parseJson.ts'
import { type Condition, checkAskable, type QueryScope, readName, resolvePlace } from './Condition.ts'
import type { Sort } from './Sort.ts'
import type { WrittenSort } from './writeOrder.ts'

/** Query options besides the class: parsed from the parameters, names not yet resolved. */
export type Find = {
  readonly where: WireValue | undefined
  readonly order: readonly string[]
  readonly limit: number
  readonly skip: number
  readonly count: boolean
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
    count: readFlag(input.count, 'count'),
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
  if (list.some((item) => typeof item !== 'string')) refuse(`${name} must be a list of names, joined by commas.`)
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

function readText(value: WireValue | undefined, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : refuse(`${name} must be a text.`)
}

function cursorOption(value: WireValue | undefined): string | true | undefined {
  if (value === undefined || value === null || value === false) return undefined
  if (value === true || value === 'true') return true
  return typeof value === 'string' ? value : refuse('cursor must be true, or what the page before answered.')
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
    throw new CountersignError('InvalidQuery', `A query may be ordered by ${mostSorts} fields at most.`)
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
    throw new CountersignError('InvalidQuery', `A query cannot be ordered by ${written}; ask for $nearSphere instead.`)
  }
  return place && { by: 'place', place, descending }
}

/** Finds a condition that every document must meet, not only some alternatives. */
export function findPart(condition: Condition, kind: 'near' | 'text'): Condition | undefined {
  if (condition.kind === kind) return condition
  return condition.kind === 'all' ? condition.of.find((part) => part.kind === kind) : undefined
}

/**
 * A cursor contains the position in the order: the sort values of the last object. It is not an index of a list, so
 * objects that come and go neither hide others nor show them twice.
 */
export function writeCursor(query: string, values: WireValue[]): string {
  return Buffer.from(JSON.stringify([query, ...values])).toString('base64url')
}

/** Binds a cursor to its class, condition and order. */
export function fingerprintQuery(className: string, where: WireValue | undefined, order: readonly string[]): string {
  return hash('sha256', JSON.stringify([className, where ?? {}, order]), 'base64url').slice(0, 12)
}

export function readCursor(query: string, cursor: string, length: number): WireValue[] {
  let parts: unknown
  try {
    parts = parseJson(Buffer.from(cursor, 'base64url'))
  } catch {
    parts = undefined
  }
  const isFitting =
    Array.isArray(parts) && parts.length === length + 1 && parts[0] === query && parts.slice(1).every(isPlain)
  if (!isFitting) {
    throw new CountersignError(
      'InvalidQuery',
      'The cursor does not belong to this query. Begin again with cursor=true, and keep class, where and order.',
    )
  }
  return (parts as WireValue[]).slice(1)
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object' || JSON.stringify(value).length < 100_000
}

/** Condition for rows after the given values in the order. */
export function writeAfter(sorts: readonly WrittenSort[], values: readonly WireValue[]): Fragment {
  const [sort, ...rest] = sorts
  const [value, ...others] = values
  if (!sort || value === undefined) return sql`false`
  const bound = value === null ? sql`null` : typedValue(sort.type, value)
  const beyond = writeBeyond(sort, value, bound)
  if (rest.length === 0) return beyond
  const equal = value === null ? sql`${sort.expression()} is null` : sql`${sort.expression()} = ${bound}`
  const after = sql`(${beyond} or (${equal} and ${writeAfter(rest, others)}))`
  if (value === null || (sort.descending && sort.isNullable)) return after
  // Said twice, for an index: what comes before the value of the first part need not be looked at.
  return sql`(${sort.expression()} ${sort.descending ? sql`<=` : sql`>=`} ${bound} and ${after})`
}

function writeBeyond({ expression, descending, isNullable }: WrittenSort, value: WireValue, bound: Fragment): Fragment {
  if (value === null) return descending ? sql`false` : sql`${expression()} is not null`
  if (!descending) return sql`${expression()} > ${bound}`
  if (isNullable) return sql`(${expression()} < ${bound} or ${expression()} is null)`
  return sql`${expression()} < ${bound}`
}

function typedValue(type: string, value: WireValue): Fragment {
  const stored = type === 'jsonb' || typeof value === 'object' ? JSON.stringify(value) : value
  return sql`${sql.param(stored)}::${sql.raw(type)}`
}

/** Description of a slow query for the log. Never its values: they may be secrets. */
export type QueryDescription = {
  className: string
  operation: string
  shape: () => string
  /** Called where it took at least `slowQueries.threshold`. */
  record?: ((ms: number) => void) | undefined
}

/** Runs a statement and logs it if it took longer than `slowQueryThreshold`. */
export async function timeQuery<Row>(
  { config, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  { className, operation, shape, record }: QueryDescription,
  statement: Fragment,
): Promise<Row[]> {
  const begin = performance.now()
  try {
    return await db.query<Row>(statement)
  } finally {
    const ms = performance.now() - begin
    if (config.slowQueryThreshold > 0 && ms >= config.slowQueryThreshold) {
      log.warn({ className, operation, shape: shape(), ms: Math.round(ms) }, 'slow query')
    }
    if (record && ms >= config.slowQueries.threshold) record(ms)
  }
}
