import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { isCanceled } from '../db/databaseErrors.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { askSubqueries } from '../hooks/askSubqueries.ts'
import { findHooks, runBeforeFind } from '../hooks/runHooks.ts'
import type { Decision } from '../permissions/Decision.ts'
import { writeRowFilter } from '../permissions/decide.ts'
import { type Condition, describeCondition, hasPattern } from '../queries/Condition.ts'
import { type Find, findPart, type QueryDescription, timeQuery, writeAfter } from '../queries/readFind.ts'
import type { Sort } from '../queries/Sort.ts'
import { recordSlowQuery } from '../queries/slowQueries.ts'
import { type SqlWriter, writeTextScore } from '../queries/writeComparison.ts'
import { writeOrderBy, writeSorts } from '../queries/writeOrder.ts'
import { writeWhere } from '../queries/writeWhere.ts'
import type { Access } from '../roles/accessOf.ts'

/** Runs the statement of a query, with a timeout: short queries can be expensive. */
export async function runFind<Row extends object>(
  context: Context,
  find: ReadyFind,
  operation: 'find' | 'count' | 'get' | 'include',
  statement: Fragment,
): Promise<Row[]> {
  const { schema, condition, sorts } = find
  const description: QueryDescription = {
    className: schema.className,
    operation,
    shape: () => describeCondition(condition),
    // The others go by the primary key.
    record:
      operation === 'find' || operation === 'count'
        ? (ms) => recordSlowQuery(context, { schema, operation, condition, sorts, statement }, ms)
        : undefined,
  }
  const timeout = findTimeout(context, find)
  try {
    const rows = await timeQuery<Row>(
      context,
      description,
      timeout === undefined ? statement : sql.limited(statement, timeout),
    )
    if (rows.some((row) => Reflect.get(row, 'rows') === null)) throw tooLarge()
    return rows
  } catch (error) {
    if (timeout === undefined || !isCanceled(error)) throw error
    throw new CountersignError(
      'Timeout',
      `The query took longer than ${timeout} ms. Narrow it by other conditions, use a simpler pattern, or have an index made for it.`,
    )
  }
}

function findTimeout({ config }: Context, { access, condition }: ReadyFind): number | undefined {
  const { queryTimeout, regexTimeout } = config.requestComplexity
  if (hasPattern(condition)) return access.isMaster ? regexTimeout : Math.min(regexTimeout, queryTimeout)
  return access.isMaster ? undefined : queryTimeout
}

const baseColumns = ['objectId', 'createdAt', 'updatedAt', '_rperm', '_wperm', '_nulls']

/** Written out, so that the database plans for that many; with others, callers could make any number of statements. */
const usualLimits = new Set([1, 2, 5, 10, 11, 20, 21, 25, 26, 50, 51, 100, 101, 1000, 1001])

/** A query whose every part was read and checked. */
export type ReadyFind = {
  schema: ClassSchema
  access: Access
  decision: Decision
  condition: Condition
  sorts: readonly Sort[]
  /** Fields that are fetched; all of them where it is absent. */
  fields?: ReadonlySet<string> | undefined
  /** Columns of the server's own that come along. */
  extra?: readonly string[]
  score?: boolean
  limit?: number
  skip?: number
  /** Last values of the page before; an empty list for the first page. */
  after?: readonly WireValue[] | undefined
}

const t = sql`t`

/** The objects of a query as one JSON value: describing and reading each column would cost more than the query. */
export function writeFind(find: ReadyFind): Fragment {
  const { schema, condition, limit, skip = 0, after } = find
  const sorts = find.sorts.length > 0 || after ? writeSorts(find, find.sorts, t) : []
  const columns = [find.fields || find.extra ? writeColumns(find) : allColumns(schema)]
  const text = find.score ? findPart(condition, 'text') : undefined
  if (text?.kind === 'text') columns.push(sql`${writeTextScore(text.place, text.search, t)} as "_score"`)
  if (after) columns.push(sql`json_build_array(${sql.join(sorts.map((sort) => sort.expression()))}) as "_cursor"`)
  const beyond = after && after.length > 0 ? writeAfter(sorts, after) : undefined
  const order = sorts.length > 0 ? sql` order by ${writeOrderBy(sorts)}` : sql``
  const most = limit === undefined ? sql`` : sql` limit ${usualLimits.has(limit) ? sql.raw(limit) : limit}`
  const offset = skip > 0 ? sql` offset ${skip}` : sql``
  // More than fits into a text of this process would end it. No field begins with an underscore: one that was called
  // like the alias would be taken for the row.
  return sql.prepared`
    select case when octet_length(rows::text) <= ${sql.raw(largestAnswer(find.access))} then rows end as rows from (
      select coalesce(json_agg(_row), '[]') as rows from (
        select ${sql.join(columns)} from ${tableOf(schema)} t${writeFilter(find, beyond)}${order}${most}${offset}
      ) _row
    ) _found`
}

/** How many objects there are, whatever page was asked for. */
export function writeCount(find: ReadyFind): Fragment {
  return sql.prepared`select count(*) as count from ${tableOf(find.schema)} t${writeFilter(find)}`
}

function writeFilter({ schema, access, decision, condition }: ReadyFind, beyond?: Fragment): Fragment {
  const writer: SqlWriter = { access, aliases: 0 }
  const parts = [
    condition.kind === 'constant' && condition.holds ? undefined : writeWhere(writer, condition, t),
    writeRowFilter(schema, access, decision, 'read', t),
    beyond,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? sql` where ${sql.join(parts, ' and ')}` : sql``
}

function writeColumns({ schema, fields, extra = [] }: Pick<ReadyFind, 'schema' | 'fields' | 'extra'>): Fragment {
  const all = [...schema.fields.keys()]
  const fetched = fields ? all.filter((name) => fields.has(name)) : all
  return sql.flat(sql.join([...baseColumns, ...fetched, ...extra].map((name) => sql.column('t', name))))
}

/** Of most queries: writing them again for each would cost as much as all the rest of the statement. */
const columnsBySchema = new WeakMap<ClassSchema, Fragment>()

function allColumns(schema: ClassSchema): Fragment {
  const known = columnsBySchema.get(schema)
  if (known) return known
  const columns = writeColumns({ schema })
  columnsBySchema.set(schema, columns)
  return columns
}

/**
 * Letters of JSON. Nobody else is served while they are read and written, half a second for a client's largest
 * response; one object with a field of the largest size fits.
 */
function largestAnswer({ isMaster }: Access): number {
  return (isMaster ? 64 : 20) * 1024 * 1024
}

const mostCopies = 50_000

export type Budget = { spend(target: WireFields): void }

/**
 * Limits the data that includes add to a response. A list that names one document often, or a document that names
 * itself, multiplies at every level.
 */
export function createBudget(access: Access): Budget {
  const most = largestAnswer(access)
  const sizes = new Map<WireFields, number>()
  let copies = 0
  let letters = 0
  return {
    spend(target) {
      const size = sizes.get(target)
      // Measured when it comes again: what was fetched once was within bounds.
      sizes.set(target, size === undefined ? 0 : size || JSON.stringify(target).length)
      letters += sizes.get(target) ?? 0
      if (++copies > mostCopies || letters > most) throw tooLarge()
    },
  }
}

function tooLarge(): CountersignError {
  return new CountersignError(
    'ObjectTooLarge',
    'The answer would be too large. Ask for fewer objects by limit, or for less of them by keys and include.',
  )
}

/** Query after the hooks, unchanged if there are none. */
export async function askFindHooks(
  context: Context,
  caller: Caller,
  className: string,
  input: WireFields,
  { limit, count }: Pick<Find, 'limit' | 'count'>,
): Promise<WireFields> {
  if (context.registry.hooks.size === 0) return input
  const handlers = findHooks(context, 'beforeFind', className)
  const description = { className, query: input, isGet: false, isCount: count && limit === 0 }
  const query = handlers ? await runBeforeFind(handlers, caller, description) : input
  const where = await askSubqueries(context, caller, query.where)
  return where === query.where ? query : { ...query, where: where ?? {} }
}

/** The plan of a statement as PostgreSQL tells it. The statement is not carried out. */
export async function explainStatement({ db }: Context, statement: Fragment): Promise<WireValue[]> {
  const rows = await db.query<{ 'QUERY PLAN': WireValue[] }>(sql`explain (format json) ${statement}`)
  return rows.flatMap((row) => row['QUERY PLAN'])
}

/**
 * Checks a hint, which names an index or its fields. PostgreSQL chooses its indexes itself, so nothing is passed on; a
 * missing index is an error of the caller.
 */
export function checkHint(schema: ClassSchema, hint: WireValue | undefined): void {
  if (hint === undefined || hint === null) return
  if (typeof hint === 'string') {
    if (hint === '_id_' || schema.indexes.has(hint)) return
  } else if (typeof hint === 'object' && !Array.isArray(hint)) {
    const wanted = JSON.stringify(Object.entries(hint).map(([name, way]) => [name === '_id' ? 'objectId' : name, way]))
    if (wanted === '[["objectId",1]]') return
    for (const { fields } of schema.indexes.values()) if (JSON.stringify([...fields]) === wanted) return
  }
  throw new CountersignError(
    'InvalidQuery',
    `hint: class ${schema.className} has no such index. Make it through the schema API, or leave the hint out.`,
  )
}
