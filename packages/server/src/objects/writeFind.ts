import type { WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { createBindings, quote, tableOf } from '../db/createBindings.ts'
import type { Statement } from '../db/Database.ts'
import { nameStatement } from '../db/nameStatement.ts'
import type { Decision } from '../permissions/Decision.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Condition } from '../queries/Condition.ts'
import { writeAfter } from '../queries/cursor.ts'
import { findPart, type Sort } from '../queries/readOrder.ts'
import type { Writing } from '../queries/Writing.ts'
import { writeOrderBy, writeSorts } from '../queries/writeOrder.ts'
import { writeTextScore } from '../queries/writeTextSearch.ts'
import { writeWhere } from '../queries/writeWhere.ts'
import type { Access } from '../roles/Access.ts'
import { largestAnswer } from './createBudget.ts'

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
  /** Where the page before ended; an empty list for the first page. */
  after?: readonly WireValue[] | undefined
}

/** The objects of a query as one JSON value: describing and reading each column would cost more than the query. */
export function writeFind(find: ReadyFind): Statement {
  const writing: Writing = { bindings: createBindings(), access: find.access, aliases: 0 }
  const { schema, condition, limit, skip = 0, after } = find
  const sorts = find.sorts.length > 0 || after ? writeSorts(writing, find, find.sorts, 't') : []
  const columns = [...baseColumns, ...fetchedFields(find), ...(find.extra ?? [])].map((name) => `t.${quote(name)}`)
  const text = find.score ? findPart(condition, 'text') : undefined
  if (text?.kind === 'text') columns.push(`${writeTextScore(writing, text.place, text.search, 't')} as "_score"`)
  if (after) columns.push(`json_build_array(${sorts.map((sort) => sort.expression()).join(', ')}) as "_cursor"`)
  const beyond = after && after.length > 0 ? writeAfter(writing.bindings, sorts, after) : undefined
  const inner = [
    `select ${columns.join(', ')} from ${tableOf(schema.className)} t`,
    writeFilter(writing, find, beyond),
    sorts.length > 0 ? `order by ${writeOrderBy(sorts)}` : '',
    limit === undefined ? '' : `limit ${usualLimits.has(limit) ? limit : writing.bindings.bind(limit)}`,
    skip > 0 ? `offset ${writing.bindings.bind(skip)}` : '',
  ]
  // No field begins with an underscore: one that was called like the alias would be taken for the row.
  const found = `select coalesce(json_agg(_row), '[]') as rows from (${inner.filter((part) => part !== '').join(' ')}) _row`
  // P13: more than fits into a text of this process would end it.
  return nameStatement(
    `select case when octet_length(rows::text) <= ${largestAnswer} then rows end as rows from (${found}) _found`,
    writing.bindings.values,
  )
}

/** How many objects there are, whatever page was asked for. */
export function writeCount(find: ReadyFind): Statement {
  const writing: Writing = { bindings: createBindings(), access: find.access, aliases: 0 }
  const text = `select count(*) as count from ${tableOf(find.schema.className)} t ${writeFilter(writing, find, undefined)}`
  return nameStatement(text, writing.bindings.values)
}

function writeFilter(writing: Writing, { schema, access, decision, condition }: ReadyFind, beyond: string | undefined) {
  const parts = [
    condition.kind === 'constant' && condition.holds ? undefined : writeWhere(writing, condition, 't'),
    writeRowFilter(writing.bindings, schema, access, decision, 'read', 't'),
    beyond,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? `where ${parts.join(' and ')}` : ''
}

function fetchedFields({ schema, fields }: ReadyFind): string[] {
  const all = [...schema.fields.keys()]
  return fields ? all.filter((name) => fields.has(name)) : all
}
