import { type Fragment, sql } from '../../db/sql.ts'
import { fieldOf, lookUp } from './resolvePath.ts'
import { asJson, asNumber, invalid, isObject, nullJson, shown, type Value } from './Value.ts'
import { emit, emitSame, type Place, type Rows, type Work } from './Work.ts'
import { writeExpression } from './writeExpression.ts'
import { writeMatch } from './writeMatch.ts'

export function match(work: Work, rows: Rows, argument: unknown): Rows {
  return emitSame(
    work,
    rows,
    sql`from ${rows.table} where ${writeMatch({ work, scope: rows.scope, depth: 0 }, argument)}`,
  )
}

/** A `$sort` with the `$skip` and `$limit` that follow it: together PostgreSQL need not sort all rows. */
export type Page = { sort?: unknown; skip: number; limit?: number }

export function page(work: Work, rows: Rows, { sort, skip, limit }: Page): Rows {
  const window = sql.join(
    [
      ...(limit === undefined ? [] : [sql`limit ${limit}::bigint`]),
      ...(skip === 0 && !work.isSpread ? [] : [sql`offset ${skip}::bigint`]),
    ],
    ' ',
  )
  if (sort === undefined) {
    return emitSame(work, rows, sql`from ${rows.table} ${rows.order ? sql`order by ${rows.order} ` : sql``}${window}`)
  }
  const keys = readSort(sort).map(([name, direction]) => {
    const { sql: piece } = lookUp(rows.scope, name)
    return sql`${piece} ${direction === 1 ? sql`asc nulls first` : sql`desc nulls last`}`
  })
  const { order, ...unordered } = rows
  const sorted = emitSame(work, unordered, sql`from ${rows.table} order by ${sql.join(keys, ', ')} ${window}`)
  return emit(work, {
    columns: sorted.scope.columns,
    ...(sorted.scope.rest && { rest: sorted.scope.rest }),
    body: sql`from ${sorted.table}`,
    order: sql`row_number() over ()`,
    variables: rows.scope.variables,
  })
}

function readSort(sort: unknown): [string, 1 | -1][] {
  if (!isObject(sort) || Object.keys(sort).length === 0) throw invalid('$sort must be an object with fields.')
  return Object.entries(sort).map(([name, direction]) => {
    if (direction !== 1 && direction !== -1) {
      throw invalid(`$sort: ${shown(name)} must be 1 or -1.`)
    }
    return [name, direction]
  })
}

/** `$project`: the named fields and computed ones, or all but the named. */
export function project(work: Work, rows: Rows, argument: unknown): Rows {
  if (!isObject(argument) || Object.keys(argument).length === 0)
    throw invalid('$project must be an object with fields.')
  const { scope } = rows
  const entries = Object.entries(argument).map(([name, value]) => [name === '_id' ? 'objectId' : name, value] as const)
  const others = entries.filter(([name]) => name !== 'objectId')
  const excluding =
    others.length > 0 ? others.every(([, value]) => isOff(value)) : entries.every(([, value]) => isOff(value))
  if (excluding && entries.every(([, value]) => isOff(value)))
    return exclude(
      work,
      rows,
      entries.map(([name]) => name),
    )
  const mixed = others.find(([, value]) => isOff(value))
  if (mixed) throw invalid(`$project cannot exclude ${shown(mixed[0])} and include other fields.`)
  const place = { work, scope, depth: 0 }
  const columns = new Map<string, Value>()
  const id = entries.find(([name]) => name === 'objectId')
  if (!id || isOn(id[1])) columns.set('objectId', lookUp(scope, 'objectId'))
  else if (!isOff(id[1])) columns.set('objectId', writeExpression(place, id[1]))
  const inner = new Map<string, [string[], unknown][]>()
  for (const [name, value] of others) {
    const [head = '', ...path] = name.split('.')
    checkPath(name)
    if (path.length > 0) inner.set(head, [...(inner.get(head) ?? []), [path, value]])
    else columns.set(fieldOf(head), isOn(value) ? lookUp(scope, head) : writeExpression(place, value))
  }
  for (const [head, parts] of inner) columns.set(head, nest(place, head, parts))
  return emit(work, {
    columns: withoutMissingId(columns),
    body: sql`from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: scope.variables,
  })
}

/** `$unset`, and a `$project` that only leaves out. */
export function exclude(work: Work, rows: Rows, names: string[]): Rows {
  const columns = new Map(rows.scope.columns)
  let { rest } = rows.scope
  for (const name of names) {
    checkPath(name)
    const [head = '', ...path] = name.split('.')
    const field = fieldOf(head)
    const column = columns.get(field)
    if (column && path.length === 0) columns.delete(field)
    else if (column?.type === 'json') {
      columns.set(field, { ...column, sql: sql`(${column.sql} #- ${sql.param(path)}::text[])` })
    } else if (rest) rest = { ...rest, sql: sql`(${rest.sql} #- ${sql.param([field, ...path])}::text[])` }
  }
  return emit(work, {
    columns,
    ...(rest && { rest }),
    body: sql`from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: rows.scope.variables,
  })
}

/** `a.b` and `a.c` come back as one object `a`. */
function nest(place: Place, head: string, parts: [string[], unknown][]): Value {
  const pieces = parts.map(([path, expression]) => {
    const value = isOn(expression) ? lookUp(place.scope, [head, ...path].join('.')) : writeExpression(place, expression)
    const built = path.reduceRight(
      (piece, key) => sql`jsonb_build_object(${sql.param(key)}::text, ${piece})`,
      asJson(value),
    )
    return value.optional ? sql`case when ${value.sql} is null then '{}'::jsonb else ${built} end` : built
  })
  return { sql: sql`(${sql.join(pieces, ' || ')})`, type: 'json', isObject: true }
}

function withoutMissingId(columns: Map<string, Value>): Map<string, Value> {
  if (columns.get('objectId')?.sql === nullJson) columns.delete('objectId')
  return columns
}

function checkPath(name: string): void {
  if (name.split('.').some((part) => part === '' || part.startsWith('$'))) {
    throw invalid(`${shown(name)} is not a valid field name: no part can be empty or start with $.`)
  }
}

const isOff = (value: unknown) => value === 0 || value === false

const isOn = (value: unknown) => value === true || (typeof value === 'number' && value !== 0)

/** Writes an accumulator of `$group`; `order` is the column that keeps the order of the rows. */
type Accumulator = (place: Place, order: Fragment | undefined, argument: unknown) => Value

const number = (piece: Fragment): Value => ({ sql: piece, type: 'number' })

const overNumbers =
  (build: (piece: Fragment) => Fragment): Accumulator =>
  (place, _order, argument) =>
    number(build(asNumber(writeExpression(place, argument))))

const accumulators: ReadonlyMap<string, Accumulator> = new Map<string, Accumulator>([
  ['$sum', overNumbers((piece) => sql`coalesce(sum(${piece}), 0)`)],
  ['$avg', overNumbers((piece) => sql`avg(${piece})`)],
  ['$stdDevPop', overNumbers((piece) => sql`stddev_pop(${piece})`)],
  ['$stdDevSamp', overNumbers((piece) => sql`stddev_samp(${piece})`)],
  [
    '$count',
    (_place, _order, argument) => {
      if (!isObject(argument) || Object.keys(argument).length > 0) throw invalid('$count in $group takes {}.')
      return number(sql`count(*)::double precision`)
    },
  ],
  ['$min', extreme(sql`min`, sql`asc`)],
  ['$max', extreme(sql`max`, sql`desc`)],
  ['$first', end('first')],
  ['$last', end('last')],
  [
    '$push',
    (place, order, argument) => {
      const value = writeExpression(place, argument)
      const filter = value.optional ? sql` filter (where ${value.sql} is not null)` : sql``
      const sorted = order ? sql` order by ${order}` : sql``
      return list(sql`jsonb_agg(${asJson(value)}${sorted})${filter}`, value)
    },
  ],
  [
    '$addToSet',
    (place, _order, argument) => {
      const value = writeExpression(place, argument)
      const filter = value.optional ? sql` filter (where ${value.sql} is not null)` : sql``
      return list(sql`jsonb_agg(distinct ${asJson(value)})${filter}`, value)
    },
  ],
])

function list(piece: Fragment, { document }: Value): Value {
  return { sql: sql`coalesce(${piece}, '[]')`, type: 'json', ...(document && { document }) }
}

/** PostgreSQL has no least boolean or object; of those the first in order is taken. */
function extreme(name: Fragment, direction: Fragment): Accumulator {
  return (place, _order, argument) => {
    const { optional, ...value } = writeExpression(place, argument)
    if (value.type !== 'json' && value.type !== 'boolean') return { ...value, sql: sql`${name}(${value.sql})` }
    const { sql: piece } = value
    return {
      ...value,
      sql: sql`(array_agg(${piece} order by ${piece} ${direction}) filter (where ${piece} is not null))[1]`,
    }
  }
}

/** The first or the last row; rows that were never sorted are taken as they come. */
function end(which: 'first' | 'last'): Accumulator {
  return (place, order, argument) => {
    const { optional, ...value } = writeExpression(place, argument)
    if (order)
      return {
        ...value,
        sql: sql`(array_agg(${value.sql} order by ${order}${which === 'first' ? sql`` : sql` desc`}))[1]`,
      }
    return {
      ...value,
      sql: which === 'first' ? sql`(array_agg(${value.sql}))[1]` : sql`(array_agg(${value.sql}))[count(*)]`,
    }
  }
}

export function group(work: Work, rows: Rows, argument: unknown): Rows {
  if (!isObject(argument)) throw invalid('$group must be an object.')
  if (!Object.hasOwn(argument, '_id')) throw invalid('Invalid parameter for query: group. Missing key _id')
  if (Object.hasOwn(argument, 'objectId')) {
    throw invalid('Cannot use objectId in aggregation: the key of a $group is called _id.')
  }
  const place = { work, scope: rows.scope, depth: 0 }
  const key = groupKey(writeExpression(place, argument._id))
  const columns: [string, Value][] = [['objectId', key]]
  for (const [name, accumulator] of Object.entries(argument)) {
    if (name === '_id') continue
    checkName(name)
    const [operator = '', ...more] = isObject(accumulator) ? Object.keys(accumulator) : []
    const write = accumulators.get(operator)
    if (!write || more.length > 0) {
      throw invalid(
        `The field ${shown(name)} of $group must have one accumulator: ${[...accumulators.keys()].join(', ')}.`,
      )
    }
    columns.push([name, write(place, rows.order, (accumulator as Record<string, unknown>)[operator])])
  }
  // Without a key everything is one group, but no rows make no group.
  const grouping = isConstant(argument._id) ? sql`having count(*) > 0` : sql`group by 1`
  return emit(work, { columns, body: sql`from ${rows.table} ${grouping}`, variables: rows.scope.variables })
}

/** Objects are grouped by what a pointer leads to; clients expect the bare id. */
function groupKey(key: Value): Value {
  const value = key.type === 'pointer' ? { sql: key.sql, type: 'text' as const } : key
  const { optional, ...kept } = value as Value
  return kept
}

function isConstant(expression: unknown): boolean {
  return expression === null || (typeof expression !== 'object' && !String(expression).startsWith('$'))
}

export function checkName(name: string): void {
  if (name === '' || name.startsWith('$') || name.includes('.')) {
    throw invalid(
      `${shown(name)} is not a valid name of a computed field: it must not be empty, start with $ or contain a dot.`,
    )
  }
}
