import type { ClassSchema } from '../../../classes/ClassSchema.ts'
import { compareValues } from '../compareValues.ts'
import { asId, asJson, asNumber, elementsOf } from '../convert.ts'
import { emit } from '../emit.ts'
import { invalid, isObject } from '../invalid.ts'
import { openTable } from '../openTable.ts'
import { fieldOf, lookUp, whole } from '../resolvePath.ts'
import type { Value } from '../Value.ts'
import type { Rows, Work } from '../Work.ts'
import { writeExpression } from '../writeExpression.ts'
import { checkName } from './group.ts'

/** Runs the stages of a pipeline on rows. Given by the pipeline itself, which knows this stage. */
export type RunStages = (work: Work, rows: Rows, pipeline: unknown) => Rows

/** `$lookup`: a list of the objects of another class that belong to each row. */
export function lookup(work: Work, rows: Rows, argument: unknown, runStages: RunStages): Rows {
  if (!isObject(argument)) throw invalid('$lookup must be an object.')
  const { from, localField, foreignField, as, pipeline } = argument
  if (typeof from !== 'string' || typeof as !== 'string') throw invalid('$lookup needs from and as.')
  checkName(as)
  const byFields = typeof localField === 'string' && typeof foreignField === 'string'
  if (!byFields && pipeline === undefined) throw invalid('$lookup needs localField and foreignField, or a pipeline.')
  const schema = work.getClass(from)
  // Stages of their own, which see the columns of the row outside.
  const inner: Work = { ...work, tables: [] }
  const variables = readVariables(work, rows, argument.let)
  let found = openTable(inner, schema, work.fresh('t'), undefined, variables)
  if (byFields) found = narrow(inner, found, { schema, rows, localField, foreignField })
  const isPlain = pipeline === undefined
  if (!isPlain) found = runStages(inner, found, pipeline)
  const order = found.order ? ` order by ${found.order}` : ''
  const object = whole(work.bindings, found.scope).sql
  const [lateral, list] = [work.fresh('l'), work.fresh('e')]
  const query = `with ${inner.tables.join(', ')} select coalesce(jsonb_agg(${object}${order}), '[]') as ${list} from ${found.table}`
  const columns = new Map(rows.scope.columns)
  columns.set(fieldOf(as), { sql: `${lateral}.${list}`, type: 'json', ...(isPlain && { document: schema }) })
  return emit(work, {
    columns,
    ...(rows.scope.rest && { rest: rows.scope.rest }),
    body: `from ${rows.table} cross join lateral (${query}) ${lateral}`,
    ...(rows.order && { order: rows.order }),
    variables: rows.scope.variables,
  })
}

function readVariables(work: Work, rows: Rows, given: unknown): Map<string, Value> {
  const variables = new Map(rows.scope.variables)
  if (given === undefined) return variables
  if (!isObject(given)) throw invalid('$lookup: let must be an object of variables.')
  for (const [name, expression] of Object.entries(given)) {
    if (!/^[a-z][A-Za-z0-9_]*$/.test(name)) throw invalid('$lookup: a variable starts with a small letter.')
    variables.set(name, writeExpression({ work, scope: rows.scope, depth: 0 }, expression))
  }
  return variables
}

type Join = { schema: ClassSchema; rows: Rows; localField: string; foreignField: string }

/** The objects whose field equals the row's, or one element of it where it is a list. */
function narrow(inner: Work, found: Rows, { rows, localField, foreignField }: Join): Rows {
  const { bindings } = inner
  const local = lookUp(bindings, rows.scope, localField)
  const foreign = lookUp(bindings, found.scope, foreignField)
  const table = inner.fresh('s')
  inner.tables.push(`${table} as (select * from ${found.table} where ${belongs(inner, local, foreign)})`)
  return { ...found, table }
}

function belongs(work: Work, local: Value, foreign: Value): string {
  const isReference = foreign.type === 'pointer' || foreign.pointer || local.type === 'pointer' || local.pointer
  if (local.type !== 'json') {
    if (isReference) return `${bare(work, foreign, foreign)} = ${bare(work, local, foreign)}`
    if (local.type === foreign.type) return `${foreign.sql} = ${local.sql}`
    return compareValues(work.bindings, '=', foreign, local)
  }
  const item: Value = { sql: work.fresh('e'), type: 'json' }
  const list = `jsonb_build_array(${local.sql})`
  const items = `${elementsOf(`(case when jsonb_typeof(${local.sql}) = 'array' then ${local.sql} else ${list} end)`)} ${item.sql}`
  // An array, so that an index of the other class can serve.
  if (foreign.type === 'text' || foreign.type === 'pointer') {
    return `${asId(foreign)} = any (array(select ${bare(work, item, foreign)} from ${items}))`
  }
  if (foreign.type === 'number') return `${foreign.sql} = any (array(select ${asNumber(item)} from ${items}))`
  return `${asJson(work.bindings, foreign)} = any (array(select ${item.sql} from ${items}))`
}

/** The bare id of a pointer; of a text, also where it is written `Class$id` of the other side's class. */
function bare(work: Work, value: Value, foreign: Value): string {
  const sql = asId(value)
  if (value.type === 'pointer' || value.pointer) return sql
  const className = foreign.targetClass ?? foreign.pointer?.targetClass
  if (className === undefined) return sql
  const prefix = `${work.bindings.bind(`${className}$`)}::text`
  return `case when starts_with(${sql}, ${prefix}) then substr(${sql}, length(${prefix}) + 1) else ${sql} end`
}
