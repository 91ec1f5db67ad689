import { asJson } from '../convert.ts'
import { emit } from '../emit.ts'
import { invalid, isObject, shown } from '../invalid.ts'
import { fieldOf } from '../resolvePath.ts'
import type { Rows, Work } from '../Work.ts'
import { writeExpression } from '../writeExpression.ts'

/** `$addFields` and `$set`: computed fields besides those that are there. */
export function addFields(work: Work, rows: Rows, argument: unknown): Rows {
  if (!isObject(argument)) throw invalid('$addFields must be an object with fields.')
  const { scope } = rows
  const columns = new Map(scope.columns)
  for (const [name, expression] of Object.entries(argument)) {
    const [head = '', ...path] = name.split('.')
    if ([head, ...path].some((part) => part === '' || part.startsWith('$'))) {
      throw invalid(`${shown(name)} cannot be the name of a field: no part may be empty or start with $.`)
    }
    const value = writeExpression({ work, scope, depth: 0 }, expression)
    if (path.length === 0) {
      columns.set(fieldOf(head), value)
      continue
    }
    const before = columns.get(fieldOf(head))
    const base =
      before?.type === 'json'
        ? `case when jsonb_typeof(${before.sql}) = 'object' then ${before.sql} else '{}' end`
        : `'{}'::jsonb`
    const { bindings } = work
    const sql = `countersign.json_put(${base}, ${bindings.bind(path)}::text[], coalesce(${asJson(bindings, value)}, 'null'))`
    columns.set(fieldOf(head), { sql, type: 'json', isObject: true })
  }
  return emit(work, {
    columns,
    ...(scope.rest && { rest: scope.rest }),
    body: `from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: scope.variables,
  })
}
