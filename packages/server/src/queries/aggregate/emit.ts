import type { Value } from './Value.ts'
import type { Rows, Scope, Work } from './Work.ts'

export type Emitted = {
  columns: Iterable<readonly [string, Value]>
  rest?: Value
  /** What follows the list of columns: `from …`, `where …`, `group by …`. */
  body: string
  /** The expression that keeps the order of the rows. */
  order?: string
  variables: Scope['variables']
}

/** Adds a stage to the statement: its columns under names of our own. */
export function emit(work: Work, { columns, rest, body, order, variables }: Emitted): Rows {
  const table = work.fresh('s')
  const parts: string[] = []
  const put = (value: Value): Value => {
    const column = work.fresh('c')
    parts.push(`${value.sql} as ${column}`)
    const { pointer, ...kept } = value
    return { ...kept, sql: column }
  }
  const scope: Scope = {
    columns: new Map([...columns].map(([name, value]) => [name, put(value)])),
    ...(rest && { rest: put(rest) }),
    variables,
  }
  const orderColumn = order && work.fresh('n')
  if (order) parts.push(`${order} as ${orderColumn}`)
  // A list of columns may not be empty.
  if (parts.length === 0) parts.push('null as nothing')
  work.tables.push(`${table} as (select ${parts.join(', ')} ${body})`)
  return { table, scope, ...(orderColumn && { order: orderColumn }) }
}

/** The same rows under another name, after a change of which rows there are or in what order. */
export function emitSame(work: Work, rows: Rows, body: string): Rows {
  const table = work.fresh('s')
  work.tables.push(`${table} as (select * ${body})`)
  return { ...rows, table }
}
