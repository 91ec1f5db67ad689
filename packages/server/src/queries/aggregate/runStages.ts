import { type ClassSchema, tableOf } from '../../classes/ClassSchema.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { readStages, type Stage } from './readStages.ts'
import { fieldOf, lookUp, whole } from './resolvePath.ts'
import { checkName, exclude, group, match, page, project } from './stages.ts'
import { asId, asJson, asNumber, compareValues, elementsOf, invalid, isObject, shown, type Value } from './Value.ts'
import { emit, emitSame, heldBack, openTable, type Rows, type Work } from './Work.ts'
import { writeExpression } from './writeExpression.ts'

const deepest = 5

/** Adds the stages to the statement, one after another, each over the rows of the one before. */
export function runStages(work: Work, rows: Rows, stages: Stage[], depth = 0): Rows {
  if (depth > deepest) throw invalid(`Pipelines can be nested at most ${deepest} levels deep.`)
  return stages.reduce((before, stage) => runStage(work, before, stage, depth), rows)
}

function runStage(work: Work, rows: Rows, stage: Stage, depth: number): Rows {
  if ('page' in stage) return page(work, rows, stage.page)
  const { name, argument } = stage
  const inner = (innerWork: Work, innerRows: Rows, pipeline: unknown) =>
    runStages(innerWork, innerRows, readStages(pipeline), depth + 1)
  switch (name) {
    case '$match':
      return match(work, rows, argument)
    case '$group':
      return group(work, rows, argument)
    case '$project':
      return project(work, rows, argument)
    case '$addFields':
    case '$set':
      return addFields(work, rows, argument)
    case '$unset':
      return exclude(work, rows, readNames(argument))
    case '$unwind':
      return unwind(work, rows, argument)
    case '$lookup':
      return lookup(work, rows, argument, inner)
    case '$facet':
      return facet(work, rows, argument, inner)
    case '$count':
      return count(work, rows, argument)
    case '$sample':
      return sample(work, rows, argument)
    case '$sortByCount':
      return page(work, group(work, rows, { _id: argument, count: { $sum: 1 } }), { sort: { count: -1 }, skip: 0 })
    case '$replaceRoot':
      return replaceRoot(work, rows, isObject(argument) ? argument.newRoot : undefined)
    case '$replaceWith':
      return replaceRoot(work, rows, argument)
    case '$out':
    case '$merge':
      throw invalid(`${name} is not supported: aggregation is read-only.`)
  }
  throw invalid(`Unrecognized pipeline stage name: '${shown(name)}'.`)
}

function count(work: Work, rows: Rows, argument: unknown): Rows {
  if (typeof argument !== 'string') throw invalid('$count needs the name of a field.')
  checkName(argument)
  const columns = [[argument, { sql: sql`count(*)::double precision`, type: 'number' }] as const]
  return emit(work, { columns, body: sql`from ${rows.table} having count(*) > 0`, variables: rows.scope.variables })
}

function sample(work: Work, rows: Rows, argument: unknown): Rows {
  const size = isObject(argument) ? argument.size : undefined
  if (!Number.isSafeInteger(size) || (size as number) < 1) throw invalid('$sample needs a size of 1 or more.')
  const { order, ...unordered } = rows
  return emitSame(work, unordered, sql`from ${rows.table} order by random() limit ${sql.param(size)}::bigint`)
}

function readNames(argument: unknown): string[] {
  const names = Array.isArray(argument) ? argument : [argument]
  if (names.length === 0 || !names.every((name) => typeof name === 'string')) {
    throw invalid('$unset needs the name of a field, or a list of names.')
  }
  return names
}

/** `$facet`: several pipelines over the same rows, each with its list of results. */
function facet(work: Work, rows: Rows, argument: unknown, runStages: RunStages): Rows {
  if (!isObject(argument) || Object.keys(argument).length === 0) throw invalid('$facet must be an object of pipelines.')
  const columns = Object.entries(argument).map(([name, pipeline]): [string, Value] => {
    checkName(name)
    const found = runStages(work, rows, pipeline)
    const order = found.order ? sql` order by ${found.order}` : sql``
    const object = whole(found.scope).sql
    return [name, { sql: sql`(select coalesce(jsonb_agg(${object}${order}), '[]') from ${found.table})`, type: 'json' }]
  })
  return emit(work, { columns, body: sql``, variables: rows.scope.variables })
}

/** `$replaceRoot` and `$replaceWith`: an object inside the row takes its place. */
function replaceRoot(work: Work, rows: Rows, expression: unknown): Rows {
  if (typeof expression !== 'string' && !isObject(expression)) throw invalid('$replaceRoot needs newRoot: an object.')
  const value = writeExpression({ work, scope: rows.scope, depth: 0 }, expression)
  const piece = asJson(value)
  return emit(work, {
    columns: [],
    rest: {
      ...value,
      sql: sql`case when jsonb_typeof(${piece}) = 'object' then ${piece} else '{}' end`,
      type: 'json',
      isObject: true,
    },
    body: sql`from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: rows.scope.variables,
  })
}

/** `$addFields` and `$set`: computed fields besides those that are there. */
function addFields(work: Work, rows: Rows, argument: unknown): Rows {
  if (!isObject(argument)) throw invalid('$addFields must be an object with fields.')
  const { scope } = rows
  const columns = new Map(scope.columns)
  for (const [name, expression] of Object.entries(argument)) {
    const [head = '', ...path] = name.split('.')
    if ([head, ...path].some((part) => part === '' || part.startsWith('$'))) {
      throw invalid(`${shown(name)} is not a valid field name: no part can be empty or start with $.`)
    }
    const value = writeExpression({ work, scope, depth: 0 }, expression)
    if (path.length === 0) {
      columns.set(fieldOf(head), value)
      continue
    }
    const before = columns.get(fieldOf(head))
    const base =
      before?.type === 'json'
        ? sql`case when jsonb_typeof(${before.sql}) = 'object' then ${before.sql} else '{}' end`
        : sql`'{}'::jsonb`
    const piece = sql`countersign.json_put(${base}, ${sql.param(path)}::text[], coalesce(${asJson(value)}, 'null'))`
    columns.set(fieldOf(head), { sql: piece, type: 'json', isObject: true })
  }
  return emit(work, {
    columns,
    ...(scope.rest && { rest: scope.rest }),
    body: sql`from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: scope.variables,
  })
}

/** `$unwind`: a row for each element of a list. */
function unwind(work: Work, rows: Rows, argument: unknown): Rows {
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
  const { scope } = rows
  const [head = '', ...rest] = path.slice(1).split('.')
  const list = lookUp(scope, path.slice(1))
  const piece = asJson(list)
  const [lateral, item, position] = [work.fresh('u'), work.fresh('e'), work.fresh('p')]
  // A single value counts as a list of one.
  const source = sql`case
    when jsonb_typeof(${piece}) = 'array' then ${piece}
    when ${piece} is null then '[]'
    else jsonb_build_array(${piece})
  end`
  const element: Value = {
    sql: sql`nullif(${item}, 'null')`,
    type: 'json',
    optional: true,
    ...(list.document && { document: list.document, isObject: true }),
  }
  const columns = new Map(scope.columns)
  if (rest.length === 0) columns.set(fieldOf(head), element)
  else putInside(columns, fieldOf(head), rest, element)
  if (typeof indexName === 'string') {
    columns.set(indexName, { sql: sql`(${position} - 1)::double precision`, type: 'number' })
  }
  const elements = sql`jsonb_array_elements(${source}) with ordinality as ${lateral} (${item}, ${position})`
  return emit(work, {
    columns,
    ...(scope.rest && { rest: scope.rest }),
    body: sql`from ${rows.table} ${keep ? sql`left` : sql`inner`} join lateral ${elements} on true`,
    ...(rows.order && { order: sql`row_number() over (order by ${rows.order}, ${position})` }),
    variables: scope.variables,
  })
}

function putInside(columns: Map<string, Value>, field: string, path: string[], element: Value): void {
  const before = columns.get(field)
  if (before?.type !== 'json') return
  const place = sql`${sql.param(path)}::text[]`
  const piece = sql`case when ${element.sql} is null
    then ${before.sql} #- ${place}
    else countersign.json_put(${before.sql}, ${place}, ${element.sql})
  end`
  columns.set(field, { sql: piece, type: 'json', isObject: true, optional: true })
}

/** Runs the stages of a pipeline on rows. Given by the pipeline itself, which knows this stage. */
type RunStages = (work: Work, rows: Rows, pipeline: unknown) => Rows

/** `$lookup`: a list of the objects of another class that belong to each row. */
function lookup(work: Work, given: Rows, argument: unknown, runStages: RunStages): Rows {
  if (!isObject(argument)) throw invalid('$lookup must be an object.')
  const { from, localField, foreignField, as, pipeline } = argument
  if (typeof from !== 'string' || typeof as !== 'string') throw invalid('$lookup needs from and as.')
  checkName(as)
  const byFields = typeof localField === 'string' && typeof foreignField === 'string'
  if (!byFields && pipeline === undefined) throw invalid('$lookup needs localField and foreignField, or a pipeline.')
  const schema = work.getClass(from)
  const rows = work.isSpread ? emitSame(work, given, sql`from ${given.table}${heldBack(work)}`) : given
  // Stages of their own, which see the columns of the row outside.
  const inner: Work = { ...work, tables: [] }
  const variables = readVariables(work, rows, argument.let)
  // Citus joins no distributed class for each row of another: the coordinator reads it once.
  const copied = schema.distributed ? copyTable(work, schema) : undefined
  let found = openTable(inner, schema, work.fresh('t'), undefined, variables, copied)
  if (byFields) found = narrow(inner, found, { schema, rows, localField, foreignField })
  const isPlain = pipeline === undefined
  if (!isPlain) found = runStages(inner, found, pipeline)
  const order = found.order ? sql` order by ${found.order}` : sql``
  const object = whole(found.scope).sql
  const [lateral, list] = [work.fresh('l'), work.fresh('e')]
  const query = sql`
    with ${sql.join(inner.tables, ', ')}
    select coalesce(jsonb_agg(${object}${order}), '[]') as ${list}
    from ${found.table}`
  const columns = new Map(rows.scope.columns)
  columns.set(fieldOf(as), { sql: sql`${lateral}.${list}`, type: 'json', ...(isPlain && { document: schema }) })
  return emit(work, {
    columns,
    ...(rows.scope.rest && { rest: rows.scope.rest }),
    body: sql`from ${rows.table} cross join lateral (${query}) ${lateral}`,
    ...(rows.order && { order: rows.order }),
    variables: rows.scope.variables,
  })
}

function copyTable(work: Work, schema: ClassSchema): Fragment {
  const table = work.fresh('s')
  work.tables.push(sql`${table} as (select * from ${tableOf(schema)} offset 0)`)
  return table
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

/** Objects whose field equals the row's, or one of its elements if it is a list. */
function narrow(inner: Work, found: Rows, { rows, localField, foreignField }: Join): Rows {
  const local = lookUp(rows.scope, localField)
  const foreign = lookUp(found.scope, foreignField)
  const table = inner.fresh('s')
  inner.tables.push(sql`${table} as (select * from ${found.table} where ${belongs(inner, local, foreign)})`)
  return { ...found, table }
}

function belongs(work: Work, local: Value, foreign: Value): Fragment {
  const isReference = foreign.type === 'pointer' || foreign.pointer || local.type === 'pointer' || local.pointer
  if (local.type !== 'json') {
    if (isReference) return sql`${bare(foreign, foreign)} = ${bare(local, foreign)}`
    if (local.type === foreign.type) return sql`${foreign.sql} = ${local.sql}`
    return compareValues('=', foreign, local)
  }
  const item: Value = { sql: work.fresh('e'), type: 'json' }
  const alone = sql`jsonb_build_array(${local.sql})`
  const list = sql`(case when jsonb_typeof(${local.sql}) = 'array' then ${local.sql} else ${alone} end)`
  const items = sql`${elementsOf(list)} ${item.sql}`
  // An array, so that an index of the other class can serve.
  if (foreign.type === 'text' || foreign.type === 'pointer') {
    return sql`${asId(foreign)} = any (array(select ${bare(item, foreign)} from ${items}))`
  }
  if (foreign.type === 'number') return sql`${foreign.sql} = any (array(select ${asNumber(item)} from ${items}))`
  return sql`${asJson(foreign)} = any (array(select ${item.sql} from ${items}))`
}

/** The bare id of a pointer; of a text, also where it is written `Class$id` of the other side's class. */
function bare(value: Value, foreign: Value): Fragment {
  const piece = asId(value)
  if (value.type === 'pointer' || value.pointer) return piece
  const className = foreign.targetClass ?? foreign.pointer?.targetClass
  if (className === undefined) return piece
  const prefix = sql`${sql.param(`${className}$`)}::text`
  return sql`case when starts_with(${piece}, ${prefix}) then substr(${piece}, length(${prefix}) + 1) else ${piece} end`
}
