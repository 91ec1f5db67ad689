import { asJson } from '../convert.ts'
import { emit } from '../emit.ts'
import { invalid, isObject } from '../invalid.ts'
import type { Rows, Work } from '../Work.ts'
import { writeExpression } from '../writeExpression.ts'

/** `$replaceRoot` and `$replaceWith`: an object inside the row takes its place. */
export function replaceRoot(work: Work, rows: Rows, expression: unknown): Rows {
  if (typeof expression !== 'string' && !isObject(expression)) throw invalid('$replaceRoot needs newRoot: an object.')
  const value = writeExpression({ work, scope: rows.scope, depth: 0 }, expression)
  const sql = asJson(work.bindings, value)
  return emit(work, {
    columns: [],
    rest: {
      ...value,
      sql: `case when jsonb_typeof(${sql}) = 'object' then ${sql} else '{}' end`,
      type: 'json',
      isObject: true,
    },
    body: `from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: rows.scope.variables,
  })
}
