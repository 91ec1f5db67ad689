import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { createBindings } from '../../db/createBindings.ts'
import type { Statement } from '../../db/Database.ts'
import { openTable } from './openTable.ts'
import { readStages } from './readStages.ts'
import { runStages } from './runStages.ts'
import type { Scope, Work } from './Work.ts'

export type PipelineOptions = Pick<Work, 'getClass' | 'now' | 'mostLetters'>

/**
 * A pipeline as one statement: each stage a table expression over the one before, so that stages may come in any order
 * and any number. Names of the client are never part of the text, and every value is bound.
 */
export function writePipeline(
  options: PipelineOptions,
  schema: ClassSchema,
  pipeline: unknown,
): { statement: Statement; scope: Scope } {
  const bindings = createBindings()
  let count = 0
  const work: Work = { ...options, bindings, tables: [], fresh: (letter) => `${letter}${++count}` }
  const rows = runStages(work, openTable(work, schema, work.fresh('t'), undefined, new Map()), readStages(pipeline))
  const order = rows.order ? ` order by ${rows.order}` : ''
  const columns = [...rows.scope.columns.values(), ...(rows.scope.rest ? [rows.scope.rest] : [])]
  const list = columns.length > 0 ? columns.map((column) => column.sql).join(', ') : 'null as nothing'
  const text = `with ${work.tables.join(',\n')}\nselect row_to_json(r) as row from (select ${list} from ${rows.table}${order}) r`
  return { statement: { text, values: bindings.values }, scope: rows.scope }
}
