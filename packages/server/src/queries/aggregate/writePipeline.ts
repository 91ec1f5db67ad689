import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { createBindings } from '../../db/createBindings.ts'
import type { Statement } from '../../db/Database.ts'
import type { Asking } from '../Asking.ts'
import { readWhere } from '../readWhere.ts'
import { writeWhere } from '../writeWhere.ts'
import { invalid, isObject } from './invalid.ts'
import { openTable } from './openTable.ts'
import { readStages, type Stage } from './readStages.ts'
import { runStages } from './runStages.ts'
import { match } from './stages/match.ts'
import { translateMatch } from './translateMatch.ts'
import type { Rows, Scope, Work } from './Work.ts'

/**
 * A pipeline as one statement: each stage a table expression over the one before, so that stages may come in any order
 * and any number. Names of the client are never part of the text, and every value is bound.
 */
export function writePipeline(
  asking: Asking,
  schema: ClassSchema,
  pipeline: unknown,
): { statement: Statement; scope: Scope } {
  const bindings = createBindings()
  let count = 0
  const work: Work = {
    bindings,
    tables: [],
    fresh: (letter) => `${letter}${++count}`,
    getClass: (className) => getClass(asking, className),
    now: asking.now,
    mostLetters: asking.config.requestComplexity.regexLength,
  }
  const stages = readStages(pipeline)
  const rows = runStages(work, open(work, asking, schema, stages), stages)
  const order = rows.order ? ` order by ${rows.order}` : ''
  const columns = [...rows.scope.columns.values(), ...(rows.scope.rest ? [rows.scope.rest] : [])]
  const list = columns.length > 0 ? columns.map((column) => column.sql).join(', ') : 'null as nothing'
  const text = `with ${work.tables.join(',\n')}\nselect row_to_json(r) as row from (select ${list} from ${rows.table}${order}) r`
  return { statement: dropUnused({ text, values: bindings.values }), scope: rows.scope }
}

/**
 * The table with the first `$match`, taken from the stages: on the columns themselves the whole language of a `where`
 * can be asked, and indexes serve.
 */
function open(work: Work, asking: Asking, schema: ClassSchema, stages: Stage[]): Rows {
  const [first] = stages
  const alias = work.fresh('t')
  if (!first || 'page' in first || first.name !== '$match') return openTable(work, schema, alias, undefined, new Map())
  stages.shift()
  if (!isObject(first.argument)) throw invalid('$match must be an object of conditions.')
  const { plain, rest } = translateMatch(schema, first.argument)
  const condition = readWhere(asking, schema, plain)
  const where = writeWhere({ bindings: work.bindings, access: asking.access, aliases: 0 }, condition, alias)
  const rows = openTable(work, schema, alias, where, new Map())
  return Object.keys(rest).length > 0 ? match(work, rows, rest) : rows
}

function getClass({ classes }: Asking, className: string): ClassSchema {
  const schema = className.startsWith('_Join:') ? undefined : classes.find(className)
  if (!schema) throw invalid(`$lookup: there is no class ${className.slice(0, 100)}.`)
  return schema
}

/** PostgreSQL refuses a value that no placeholder stands for, as is left where a stage overwrites a field. */
function dropUnused({ text, values }: { text: string; values: unknown[] }): Statement {
  const used = new Map<string, number>()
  const renumbered = text.replace(/\$(\d+)/g, (_placeholder, number: string) => {
    if (!used.has(number)) used.set(number, used.size + 1)
    return `$${used.get(number)}`
  })
  return { text: renumbered, values: [...used.keys()].map((number) => values[Number(number) - 1]) }
}
