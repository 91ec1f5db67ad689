import { type ClassSchema, type FieldType, tableOf } from '../../classes/ClassSchema.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Value } from './Value.ts'

/** The statement that is being written. */
export type Work = {
  /** Common table expressions so far, one a stage. */
  tables: Fragment[]
  /** A name that nothing else in the statement has. Names of the client never become SQL. */
  fresh(letter: string): Fragment
  /** The same before it is quoted. */
  freshName(letter: string): string
  /** Class of a `$lookup`; throws if there is none. */
  getClass(className: string): ClassSchema
  now: Date
  /** The class of the pipeline is distributed. Citus computes what follows on the workers, unless a stage says offset 0. */
  isSpread: boolean
  /** How long a regular expression may be. */
  mostLetters: number
}

/** Names available to the expressions of a stage: columns by field, and variables. */
export type Scope = {
  columns: ReadonlyMap<string, Value>
  /** After `$replaceRoot`: the object in which every other field is looked for. */
  rest?: Value
  variables: ReadonlyMap<string, Value>
}

/** Rows between two stages. */
export type Rows = {
  table: Fragment
  scope: Scope
  /** The column that keeps the order of a `$sort`. */
  order?: Fragment
}

/** Context of an expression. */
export type Place = { work: Work; scope: Scope; depth: number }

export type Emitted = {
  columns: Iterable<readonly [string, Value]>
  rest?: Value
  /** Rest of the statement after the columns: `from …`, `where …`, `group by …`. */
  body: Fragment
  /** The expression that keeps the order of the rows. */
  order?: Fragment
  variables: Scope['variables']
}

/** Adds a stage to the statement: its columns under names of our own. */
export function emit(work: Work, { columns, rest, body, order, variables }: Emitted): Rows {
  const table = work.fresh('s')
  const parts: Fragment[] = []
  const put = (value: Value): Value => {
    const column = work.freshName('c')
    const name = sql.id(column)
    parts.push(sql`${value.sql} as ${name}`)
    const { pointer, ...kept } = value
    return { ...kept, sql: name, column }
  }
  const scope: Scope = {
    columns: new Map([...columns].map(([name, value]) => [name, put(value)])),
    ...(rest && { rest: put(rest) }),
    variables,
  }
  const orderColumn = order && work.fresh('n')
  if (order) parts.push(sql`${order} as ${orderColumn}`)
  // A list of columns may not be empty.
  if (parts.length === 0) parts.push(sql`null as nothing`)
  work.tables.push(sql`${table} as (select ${sql.join(parts, ', ')} ${body})`)
  return { table, scope, ...(orderColumn && { order: orderColumn }) }
}

/**
 * Makes the coordinator of a cluster take over the rows here. On the workers, the members of a row would have other
 * names, and an order would hold on each worker alone.
 */
export const heldBack = ({ isSpread }: Work): Fragment => (isSpread ? sql` offset 0` : sql``)

/** The same rows under another name, after a change of which rows there are or in what order. */
export function emitSame(work: Work, rows: Rows, body: Fragment): Rows {
  const table = work.fresh('s')
  work.tables.push(sql`${table} as (select * ${body})`)
  return { ...rows, table }
}

const date: FieldType = { type: 'Date' }

/** Objects of a class as the first rows of a pipeline. Unused fields cost nothing. */
export function openTable(
  work: Work,
  schema: ClassSchema,
  alias: Fragment,
  condition: Fragment | undefined,
  variables: Scope['variables'],
  table: Fragment = tableOf(schema),
): Rows {
  return emit(work, {
    columns: tableColumns(schema, alias),
    body: sql`from ${table} ${alias}${condition ? sql` where ${condition}` : sql``}`,
    variables,
  })
}

function tableColumns(schema: ClassSchema, alias: Fragment): Map<string, Value> {
  const column = (name: string) => sql`${alias}.${sql.id(name)}`
  return new Map<string, Value>([
    ['objectId', { sql: column('objectId'), type: 'text' }],
    ['createdAt', { ...readColumn(column('createdAt'), date), optional: false }],
    ['updatedAt', { ...readColumn(column('updatedAt'), date), optional: false }],
    ...[...schema.fields].map(([name, field]): [string, Value] => [name, readColumn(column(name), field)]),
  ])
}

/** A column of a class's table as a value of the pipeline. */
function readColumn(piece: Fragment, field: FieldType): Value {
  switch (field.type) {
    case 'String':
      return { sql: piece, type: 'text', optional: true }
    case 'Number':
      return { sql: piece, type: 'number', optional: true }
    case 'Boolean':
      return { sql: piece, type: 'boolean', optional: true }
    case 'Date':
      return { sql: piece, type: 'date', optional: true }
    case 'Pointer':
      return { sql: piece, type: 'pointer', targetClass: field.targetClass ?? '', optional: true }
    case 'Array':
      return { sql: piece, type: 'json', optional: true }
    case 'GeoPoint':
      return typed(piece, sql`'__type', 'GeoPoint', 'latitude', ${piece}[1], 'longitude', ${piece}[0]`)
    case 'Polygon':
      return typed(piece, sql`'__type', 'Polygon', 'coordinates', ${piece}`)
    case 'Bytes':
      return typed(piece, sql`'__type', 'Bytes', 'base64', translate(encode(${piece}, 'base64'), e'\\n', '')`)
    default:
      return { sql: piece, type: 'json', isObject: true, optional: true }
  }
}

function typed(piece: Fragment, parts: Fragment): Value {
  return {
    sql: sql`case when ${piece} is not null then jsonb_build_object(${parts}) end`,
    type: 'json',
    isObject: true,
    optional: true,
  }
}
