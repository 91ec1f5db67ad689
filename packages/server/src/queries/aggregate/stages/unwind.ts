import { asJson } from '../convert.ts'
import { emit } from '../emit.ts'
import { invalid, isObject } from '../invalid.ts'
import { fieldOf, lookUp } from '../resolvePath.ts'
import type { Value } from '../Value.ts'
import type { Rows, Work } from '../Work.ts'
import { checkName } from './group.ts'

/** `$unwind`: a row for each element of a list. */
export function unwind(work: Work, rows: Rows, argument: unknown): Rows {
  const options = isObject(argument) ? argument : { path: argument }
  const { path, preserveNullAndEmptyArrays: keep = false, includeArrayIndex: indexName } = options
  if (typeof path !== 'string' || !path.startsWith('$') || path.startsWith('$$') || path === '$') {
    throw invalid('$unwind needs the path of a field, such as "$tags".')
  }
  if (typeof keep !== 'boolean') throw invalid('$unwind: preserveNullAndEmptyArrays must be true or false.')
  if (indexName !== undefined) {
    if (typeof indexName !== 'string') throw invalid('$unwind: includeArrayIndex must be the name of a field.')
    checkName(indexName)
  }
  const { bindings } = work
  const { scope } = rows
  const [head = '', ...rest] = path.slice(1).split('.')
  const list = lookUp(bindings, scope, path.slice(1))
  const sql = asJson(bindings, list)
  const [lateral, item, position] = [work.fresh('u'), work.fresh('e'), work.fresh('p')]
  // What is no list counts as a list of itself.
  const source = `case when jsonb_typeof(${sql}) = 'array' then ${sql} when ${sql} is null then '[]' else jsonb_build_array(${sql}) end`
  const element: Value = {
    sql: `nullif(${item}, 'null')`,
    type: 'json',
    optional: true,
    ...(list.document && { document: list.document, isObject: true }),
  }
  const columns = new Map(scope.columns)
  if (rest.length === 0) columns.set(fieldOf(head), element)
  else putInside(work, columns, fieldOf(head), rest, element)
  if (typeof indexName === 'string') {
    columns.set(indexName, { sql: `(${position} - 1)::double precision`, type: 'number' })
  }
  const join = `${keep ? 'left' : 'inner'} join lateral jsonb_array_elements(${source}) with ordinality as ${lateral} (${item}, ${position}) on true`
  return emit(work, {
    columns,
    ...(scope.rest && { rest: scope.rest }),
    body: `from ${rows.table} ${join}`,
    ...(rows.order && { order: `row_number() over (order by ${rows.order}, ${position})` }),
    variables: scope.variables,
  })
}

function putInside(work: Work, columns: Map<string, Value>, field: string, path: string[], element: Value): void {
  const before = columns.get(field)
  if (before?.type !== 'json') return
  const place = `${work.bindings.bind(path)}::text[]`
  const sql = `case when ${element.sql} is null then ${before.sql} #- ${place} else countersign.json_put(${before.sql}, ${place}, ${element.sql}) end`
  columns.set(field, { sql, type: 'json', isObject: true, optional: true })
}
