import type { WireValue } from '@countersign/protocol'
import { type ClassSchema, tableOf } from '../../classes/ClassSchema.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Decision } from '../../permissions/Decision.ts'
import { writeRowFilter } from '../../permissions/writeRowFilter.ts'
import { type Condition, findPart } from '../../queries/Condition.ts'
import { writeAfter } from '../../queries/cursors.ts'
import type { Sort } from '../../queries/Sort.ts'
import { type SqlWriter, writeTextScore } from '../../queries/writeComparison.ts'
import { writeOrderBy, writeSorts } from '../../queries/writeOrder.ts'
import { writeWhere } from '../../queries/writeWhere.ts'
import type { Access } from '../../roles/accessOf.ts'
import { largestAnswer } from './createBudget.ts'
import type { StaleReads } from './staleReads.ts'
import { manyColumns, writeMembers, writeSparseRow } from './writeSparseRow.ts'

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
  /** Allows a result from a read replica. */
  stale?: StaleReads | undefined
}

const t = sql`t`

/** The objects of a query as one text of JSON: describing and reading each column would cost more than the query. */
export function writeFind(find: ReadyFind): Fragment {
  const { schema, condition, limit, skip = 0, after } = find
  const sorts = find.sorts.length > 0 || after ? writeSorts(find, find.sorts, t) : []
  const { list, members } = find.fields || find.extra?.length ? chooseColumns(find) : allColumns(schema)
  const columns = [list]
  const added: string[] = []
  const text = find.score ? findPart(condition, 'text') : undefined
  if (text?.kind === 'text') {
    columns.push(sql`${writeTextScore(text.place, text.search, t)} as "_score"`)
    added.push('_score')
  }
  if (after) {
    columns.push(sql`json_build_array(${sql.join(sorts.map((sort) => sort.expression()))}) as "_cursor"`)
    added.push('_cursor')
  }
  const row = members ? writeSparseRow([members, ...added.map((name) => writeMembers([name]))]) : sql`_row`
  const beyond = after && after.length > 0 ? writeAfter(sorts, after) : undefined
  const order = sorts.length > 0 ? sql` order by ${writeOrderBy(sorts)}` : sql``
  const most = limit === undefined ? sql`` : sql` limit ${usualLimits.has(limit) ? sql.raw(limit) : limit}`
  // Of a distributed class always: without it, Citus names the members of a row f1, f2 …
  const offset = skip > 0 || schema.distributed ? sql` offset ${skip}` : sql``
  // More than fits into a text of this process would end it. No field begins with an underscore: one that was called
  // like the alias would be taken for the row.
  return sql.prepared`
    select case when octet_length(rows) <= ${sql.raw(largestAnswer(find.access))} then rows end as rows from (
      select coalesce(json_agg(${row}), '[]')::text as rows from (
        select ${sql.join(columns)} from ${tableOf(schema)} t${writeFilter(find, beyond)}${order}${most}${offset}
      ) _row
    ) _found`
}

/** How many objects there are, whatever page was asked for. */
export function writeCount(find: ReadyFind): Fragment {
  return sql.prepared`select count(*) as count from ${tableOf(find.schema)} t${writeFilter(find)}`
}

/** The rows that a count counts. */
export function writeMatching(find: ReadyFind): Fragment {
  return sql`select from ${tableOf(find.schema)} t${writeFilter(find)}`
}

function writeFilter({ schema, access, decision, condition }: ReadyFind, beyond?: Fragment): Fragment {
  const writer: SqlWriter = { access, aliases: 0, isSpread: schema.distributed ?? false }
  const parts = [
    condition.kind === 'constant' && condition.holds ? undefined : writeWhere(writer, condition, t),
    writeRowFilter(schema, access, decision, 'read', t),
    beyond,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? sql` where ${sql.join(parts, ' and ')}` : sql``
}

/** Selected columns, and for many of them the members of a row without the empty ones. */
type Columns = { readonly list: Fragment; readonly members: Fragment | undefined }

function chooseColumns({ schema, fields, extra = [] }: Pick<ReadyFind, 'schema' | 'fields' | 'extra'>): Columns {
  const all = [...schema.fields.keys()]
  const names = [...baseColumns, ...(fields ? all.filter((name) => fields.has(name)) : all), ...extra]
  const isWide = names.length >= manyColumns
  // Members name the columns again. The database itself leaves out those that none names.
  const list = isWide ? sql`t.*` : sql.flat(sql.join(names.map((name) => sql.column('t', name))))
  return { list, members: isWide ? writeMembers(names) : undefined }
}

/** Of most queries: writing them again for each would cost as much as all the rest of the statement. */
const columnsBySchema = new WeakMap<ClassSchema, Columns>()

function allColumns(schema: ClassSchema): Columns {
  const known = columnsBySchema.get(schema)
  if (known) return known
  const columns = chooseColumns({ schema })
  columnsBySchema.set(schema, columns)
  return columns
}
