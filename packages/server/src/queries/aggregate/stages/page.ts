import { emit, emitSame } from '../emit.ts'
import { invalid, isObject, shown } from '../invalid.ts'
import { lookUp } from '../resolvePath.ts'
import type { Rows, Work } from '../Work.ts'

/** A `$sort` with the `$skip` and `$limit` that follow it: together PostgreSQL need not sort all rows. */
export type Page = { sort?: unknown; skip: number; limit?: number }

export function page(work: Work, rows: Rows, { sort, skip, limit }: Page): Rows {
  const { bindings } = work
  const window = [
    ...(limit === undefined ? [] : [`limit ${bindings.bind(limit)}::bigint`]),
    ...(skip === 0 ? [] : [`offset ${bindings.bind(skip)}::bigint`]),
  ].join(' ')
  if (sort === undefined) {
    return emitSame(work, rows, `from ${rows.table} ${rows.order ? `order by ${rows.order} ` : ''}${window}`)
  }
  const keys = readSort(sort).map(([name, direction]) => {
    const { sql } = lookUp(bindings, rows.scope, name)
    return `${sql} ${direction === 1 ? 'asc nulls first' : 'desc nulls last'}`
  })
  const { order, ...unordered } = rows
  const sorted = emitSame(work, unordered, `from ${rows.table} order by ${keys.join(', ')} ${window}`)
  return emit(work, {
    columns: sorted.scope.columns,
    ...(sorted.scope.rest && { rest: sorted.scope.rest }),
    body: `from ${sorted.table}`,
    order: 'row_number() over ()',
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
