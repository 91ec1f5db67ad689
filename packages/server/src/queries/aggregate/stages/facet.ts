import { emit } from '../emit.ts'
import { invalid, isObject } from '../invalid.ts'
import { whole } from '../resolvePath.ts'
import type { Value } from '../Value.ts'
import type { Rows, Work } from '../Work.ts'
import { checkName } from './group.ts'
import type { RunStages } from './lookup.ts'

/** `$facet`: several pipelines over the same rows, each with its list of results. */
export function facet(work: Work, rows: Rows, argument: unknown, runStages: RunStages): Rows {
  if (!isObject(argument) || Object.keys(argument).length === 0) throw invalid('$facet must be an object of pipelines.')
  const columns = Object.entries(argument).map(([name, pipeline]): [string, Value] => {
    checkName(name)
    const found = runStages(work, rows, pipeline)
    const order = found.order ? ` order by ${found.order}` : ''
    const object = whole(work.bindings, found.scope).sql
    return [name, { sql: `(select coalesce(jsonb_agg(${object}${order}), '[]') from ${found.table})`, type: 'json' }]
  })
  return emit(work, { columns, body: '', variables: rows.scope.variables })
}
