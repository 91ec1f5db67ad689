import { refuse, type WireValue } from '@countersign/protocol'
import type { ResultColumn as DescribedColumn } from '../../db/Statement.ts'
import type { ReadableTable } from './readableTables.ts'
import type { CheckedSql } from './readSql.ts'

/** Limits of a result. */
export const mostRows = 1_000
const mostBytes = 2_000_000
const mostColumns = 100

/** Milliseconds that a query may take. */
export const longestQuery = 10_000

export type SqlColumn = { name: string; type: 'number' | 'text' | 'date' | 'boolean' | 'json' }

export type SqlResult = { columns: SqlColumn[]; rows: WireValue[][]; isMore: boolean }

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Begins a statement in which the names of classes mean queries of their readable columns, so that `select *` shows no
 * other. Not materialized: conditions still use the indexes.
 */
export function writeTables(tables: readonly ReadableTable[]): string {
  const queries = tables.map(
    ({ name, columns }) =>
      `${quote(name)} as not materialized (select ${columns.map((column) => quote(column.name)).join(', ')} from public.${quote(name)})`,
  )
  return queries.length === 0 ? '' : `with ${queries.join(', ')} `
}

/** Statement that returns no row, only the columns. A comment at the end of the query ends with its line. */
export const writeDescription = (tables: string, { text }: CheckedSql): string =>
  `${tables}select * from (\n${text}\n) as q limit $1::int8`

/** Integers of 64 bits and decimals, which JSON would round. */
const exactTypes = new Set([20, 1700])

/** One JSON array for each row, and null for rows that exceed the limit of bytes together. */
export function writeRows(tables: string, { text }: CheckedSql, columns: readonly DescribedColumn[]): string {
  if (columns.length > mostColumns)
    throw refuse('sqlRefused', { problem: `the result has more than ${mostColumns} columns` })
  const names = columns.map((_, place) => `c${place}`)
  const values = columns.map(({ dataTypeID }, place) => `q.c${place}${exactTypes.has(dataTypeID) ? '::text' : ''}`)
  const source = columns.length === 0 ? 'q' : `q(${names.join(', ')})`
  return `${tables}select case when sum(octet_length(j)) over (rows unbounded preceding) <= ${mostBytes} then j end as j
    from (select json_build_array(${values.join(', ')})::text as j from (\n${text}\n) as ${source} limit $1::int8) as r`
}

const kinds = new Map<number, SqlColumn['type']>([
  [16, 'boolean'],
  ...[20, 21, 23, 700, 701, 1700].map((id) => [id, 'number'] as const),
  ...[1082, 1114, 1184].map((id) => [id, 'date'] as const),
  ...[114, 3802].map((id) => [id, 'json'] as const),
])

/** Result from the rows of `writeRows`, of which one more than shown was asked for. */
export function readRows(described: readonly DescribedColumn[], found: readonly { j: string | null }[]): SqlResult {
  const shown = found.slice(0, mostRows)
  const end = shown.findIndex(({ j }) => j === null)
  const texts = end < 0 ? shown : shown.slice(0, end)
  const columns = described.map(({ name, dataTypeID }) => ({ name, type: kinds.get(dataTypeID) ?? ('text' as const) }))
  const exact = described.map(({ dataTypeID }) => exactTypes.has(dataTypeID))
  const rows = texts.map(({ j }) =>
    (JSON.parse(j as string) as WireValue[]).map((value, place) => (exact[place] ? readExact(value) : value)),
  )
  return { columns, rows, isMore: texts.length < found.length }
}

/** Number that JSON keeps as it is, or else the text. */
function readExact(value: WireValue): WireValue {
  const number = Number(value)
  return value !== null && String(number) === value ? number : value
}
