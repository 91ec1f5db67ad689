import { hash } from 'node:crypto'
import { CountersignError, type WireValue } from '@countersign/protocol'
import { type Fragment, sql } from '../db/sql.ts'
import { parseJson } from '../encoding/parseJson.ts'
import type { WrittenSort } from './writeOrder.ts'

/**
 * A cursor contains the position in the order: the sort values of the last object. It is not an index of a list, so
 * objects that come and go neither hide others nor show them twice.
 */
export function writeCursor(query: string, values: WireValue[]): string {
  return Buffer.from(JSON.stringify([query, ...values])).toString('base64url')
}

/** Binds a cursor to its class, condition and order. */
export function fingerprintQuery(className: string, where: WireValue | undefined, order: readonly string[]): string {
  return hash('sha256', JSON.stringify([className, where ?? {}, order]), 'base64url').slice(0, 12)
}

export function readCursor(query: string, cursor: string, length: number): WireValue[] {
  let parts: unknown
  try {
    parts = parseJson(Buffer.from(cursor, 'base64url'))
  } catch {
    parts = undefined
  }
  const isFitting =
    Array.isArray(parts) && parts.length === length + 1 && parts[0] === query && parts.slice(1).every(isPlain)
  if (!isFitting) {
    throw new CountersignError(
      'InvalidQuery',
      'The cursor does not belong to this query. Start again with cursor=true, and keep class, where and order.',
    )
  }
  return (parts as WireValue[]).slice(1)
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object' || JSON.stringify(value).length < 100_000
}

/** Condition for rows after the given values in the order. */
export function writeAfter(sorts: readonly WrittenSort[], values: readonly WireValue[]): Fragment {
  const [sort, ...rest] = sorts
  const [value, ...others] = values
  if (!sort || value === undefined) return sql`false`
  const bound = value === null ? sql`null` : typedValue(sort.type, value)
  const beyond = writeBeyond(sort, value, bound)
  if (rest.length === 0) return beyond
  const equal = value === null ? sql`${sort.expression()} is null` : sql`${sort.expression()} = ${bound}`
  const after = sql`(${beyond} or (${equal} and ${writeAfter(rest, others)}))`
  if (value === null || (sort.descending && sort.isNullable)) return after
  // Said twice, for an index: what comes before the value of the first part need not be looked at.
  return sql`(${sort.expression()} ${sort.descending ? sql`<=` : sql`>=`} ${bound} and ${after})`
}

function writeBeyond({ expression, descending, isNullable }: WrittenSort, value: WireValue, bound: Fragment): Fragment {
  if (value === null) return descending ? sql`false` : sql`${expression()} is not null`
  if (!descending) return sql`${expression()} > ${bound}`
  if (isNullable) return sql`(${expression()} < ${bound} or ${expression()} is null)`
  return sql`${expression()} < ${bound}`
}

function typedValue(type: string, value: WireValue): Fragment {
  const stored = type === 'jsonb' || typeof value === 'object' ? JSON.stringify(value) : value
  return sql`${sql.param(stored)}::${sql.raw(type)}`
}
