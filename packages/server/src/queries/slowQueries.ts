import { hash } from 'node:crypto'
import { CountersignError } from '@countersign/protocol'
import type { ClassSchema, FieldTypeName } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'
import { compile, type Fragment } from '../db/sql.ts'
import type { Condition } from './Condition.ts'
import type { Place } from './Place.ts'
import type { Sort } from './Sort.ts'

declare module '../context/Context.ts' {
  interface Services {
    /** By the id of the shape. */
    slowQueries?: Map<string, SlowQuery>
  }
}

/** An index that would serve a query: fields with their direction. The first `equal` of them are asked for by equality. */
export type WantedIndex = { fields: [name: string, direction: 1 | -1 | 'text'][]; equal: number }

/** Record of slow queries of one shape. Never a value: it may be a secret. */
export type SlowQuery = {
  id: string
  className: string
  operation: 'find' | 'count'
  shape: string
  order: string
  /** How often, and for how many milliseconds in all and at most. */
  count: number
  total: number
  slowest: number
  lastSeen: Date
  wanted: WantedIndex | undefined
  /** The latest statement, with placeholders for all values; absent where it is too long to be kept. */
  statement: { text: string; values: number } | undefined
}

/** Recorded parts of a query. */
type AskedQuery = {
  schema: ClassSchema
  operation: 'find' | 'count'
  condition: Condition
  sorts: readonly Sort[]
  statement: Fragment
}

const longestShape = 500
const longestStatement = 20_000

/** Called for a query that took at least `slowQueries.threshold`. */
export function recordSlowQuery(
  { config, clock, services }: Pick<Context, 'config' | 'clock' | 'services'>,
  asked: AskedQuery,
  ms: number,
): void {
  const most = config.slowQueries.shapes
  if (most === 0) return
  services.slowQueries ??= new Map()
  const kept = services.slowQueries
  const { schema, operation, condition } = asked
  // The order of what is counted costs nothing.
  const sorts = operation === 'count' ? [] : asked.sorts
  const shape = describeShape(condition)
  const order = sorts.map(describeSort).join(', ')
  const id = hash('sha256', JSON.stringify([schema.className, operation, shape, order]), 'hex').slice(0, 20)
  const before = kept.get(id)
  if (!before && kept.size >= most) forgetLeast(kept)
  kept.set(id, {
    id,
    className: schema.className,
    operation,
    shape,
    order,
    count: (before?.count ?? 0) + 1,
    total: (before?.total ?? 0) + ms,
    slowest: Math.max(before?.slowest ?? 0, ms),
    lastSeen: clock.now(),
    wanted: schema.source ? undefined : findWanted(condition, sorts),
    statement: keepStatement(asked.statement),
  })
}

/** Evicts the cheapest: callers choose the shapes, and many new ones must not push out the most expensive. */
function forgetLeast(kept: Map<string, SlowQuery>): void {
  let least: SlowQuery | undefined
  for (const query of kept.values()) if (!least || query.total < least.total) least = query
  if (least) kept.delete(least.id)
}

function keepStatement({ options: _, ...statement }: Fragment): SlowQuery['statement'] {
  const { text, values = [] } = compile(statement)
  return text.length > longestStatement ? undefined : { text, values: values.length }
}

/** The conditions in one order, each once. Of a dotted name the field alone: keys of an object may be ids of people. */
function describeShape(condition: Condition): string {
  if (condition.kind === 'constant') return ''
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const shown = parts.map((part) =>
    describeCondition(part, ({ field, path }) => (path.length > 0 ? `${field}.*` : field)),
  )
  const text = [...new Set(shown)].sort().join(' and ')
  return text.length > longestShape ? `${text.slice(0, longestShape)}…` : text
}

function describeSort(sort: Sort): string {
  const name = sort.by === 'place' ? `${sort.place.field}${sort.place.path.length > 0 ? '.*' : ''}` : sort.by
  return sort.descending ? `-${name}` : name
}

/** Types whose columns share an index with others. */
const plainTypes = new Set<FieldTypeName>(['String', 'Number', 'Boolean', 'Date', 'Pointer'])

const mostEqual = 4
const mostSorted = 3

/**
 * Index for a query: its fields by equality, then those of its order, or else one with a range. Text, places and lists
 * are indexed alone. Alternatives and negations have none.
 */
function findWanted(condition: Condition, sorts: readonly Sort[]): WantedIndex | undefined {
  const single = new Set<string>()
  const several = new Set<string>()
  let selective = false
  let range: string | undefined
  let alone: WantedIndex['fields'][number] | undefined
  for (const part of condition.kind === 'all' ? condition.of : [condition]) {
    if (!('place' in part) || part.place.path.length > 0) continue
    const { field, type } = part.place
    if (part.kind === 'text') alone ??= [field, 'text']
    else if (part.kind === 'near' || part.kind === 'box') alone ??= [field, 1]
    else if (part.kind === 'equals' && type === 'Array') alone ??= [field, 1]
    else if (part.kind === 'equals' && plainTypes.has(type)) {
      // The primary key serves it.
      if (field === 'objectId') return undefined
      if (part.values.length === 1) single.add(field)
      else several.add(field)
      selective ||= type !== 'Boolean'
    } else if (part.kind === 'compares' && plainTypes.has(type)) range ??= field
  }
  const equal = [...[...single].sort(), ...[...several].filter((field) => !single.has(field)).sort()].slice(
    0,
    mostEqual,
  )
  if (!selective && alone) return { fields: [alone], equal: 0 }
  const rest = listSorted(sorts, new Set(equal))
  if (rest.length === 0 && range !== undefined && !equal.includes(range)) rest.push([range, 1])
  const fields: WantedIndex['fields'] = [...equal.map((field): [string, 1] => [field, 1]), ...rest]
  // Half of the rows for each of two values: the table is read as fast. The order of ids has an index of its own.
  if ((rest.length === 0 && !selective) || fields[0]?.[0] === 'objectId') return undefined
  return { fields, equal: equal.length }
}

/** The fields of an order that an index can follow, from its beginning. A field that is the same in all rows orders nothing. */
function listSorted(sorts: readonly Sort[], equal: ReadonlySet<string>): WantedIndex['fields'] {
  const fields: WantedIndex['fields'] = []
  for (const sort of sorts) {
    if (sort.by !== 'place' || sort.place.path.length > 0 || !plainTypes.has(sort.place.type)) break
    const { field } = sort.place
    if (equal.has(field) || fields.some(([name]) => name === field)) continue
    if (fields.length === mostSorted) break
    fields.push([field, sort.descending ? -1 : 1])
    // Ids are unique: nothing after one orders anything.
    if (field === 'objectId') break
  }
  return fields
}

/** Returns true if an existing index serves the wanted one. */
export function isServedBy({ fields, equal }: WantedIndex, there: WantedIndex['fields'], isUnique: boolean): boolean {
  const names = there.map(([name]) => name)
  const asked = fields.slice(0, equal).map(([name]) => name)
  // At most one row has these values.
  if (isUnique && names.length > 0 && names.every((name) => asked.includes(name))) return true
  const head = names.slice(0, equal)
  if (!asked.every((name) => head.includes(name))) return false
  const rest = fields.slice(equal)
  const tail = there.slice(equal, equal + rest.length)
  const follows = (turn: 1 | -1) =>
    rest.every(([name, direction], place) => {
      const [other, way] = tail[place] ?? []
      return other === name && (direction === 'text' ? way === 'text' : way !== 'text' && direction * turn === way)
    })
  // Read backwards, an index serves the other direction.
  return follows(1) || follows(-1)
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
  { config, db, log, classes }: Pick<Context, 'config' | 'db' | 'log' | 'classes'>,
  { className, operation, shape, record }: QueryDescription,
  statement: Fragment,
  /** Another source that is asked first; `undefined` if it has no result. */
  readElsewhere?: () => Promise<Row[] | undefined>,
): Promise<Row[]> {
  const begin = performance.now()
  try {
    return (await readElsewhere?.()) ?? (await db.query<Row>(statement))
  } catch (error) {
    if ((error as { code?: unknown }).code !== '0A000' || !classes.list().some(({ distributed }) => distributed))
      throw error
    throw new CountersignError(
      'InvalidQuery',
      'Citus cannot carry out this query on a distributed class. Use simpler conditions, or several queries.',
      { cause: error },
    )
  } finally {
    const ms = performance.now() - begin
    if (config.slowQueryThreshold > 0 && ms >= config.slowQueryThreshold) {
      log.warn({ className, operation, shape: shape(), ms: Math.round(ms) }, 'slow query')
    }
    if (record && ms >= config.slowQueries.threshold) record(ms)
  }
}

const mostParts = 20

/** Describes the fields and operators of a condition, without values: for the log and for operators. */
export function describeCondition(condition: Condition, nameOf = nameWithPath): string {
  switch (condition.kind) {
    case 'constant':
      return String(condition.holds)
    case 'all':
      return describeParts(condition.of, ' and ', nameOf)
    case 'any':
      return `(${describeParts(condition.of, ' or ', nameOf)})`
    case 'not':
      return `not ${describeCondition(condition.of, nameOf)}`
    case 'compares':
      return `${nameOf(condition.place)} ${condition.operator} ?`
    case 'equals':
      return `${nameOf(condition.place)} ${condition.values.length === 1 ? '= ?' : 'in (?)'}`
    case 'relation':
      return `${condition.field} holds`
    case 'relatedTo':
      return `related by ${condition.field}`
    case 'inQuery':
    case 'select':
      return `${nameOf(condition.place)} ${condition.kind} ${condition.query.schema.className}(${describeCondition(condition.query.condition, nameOf)})`
    default:
      return `${nameOf(condition.place)} ${condition.kind}`
  }
}

function describeParts(parts: readonly Condition[], word: string, nameOf: (place: Place) => string): string {
  const shown = parts.slice(0, mostParts).map((part) => describeCondition(part, nameOf))
  return (parts.length > mostParts ? [...shown, '…'] : shown).join(word)
}

function nameWithPath({ field, path }: Place): string {
  return [field, ...path].join('.')
}
