import { hash } from 'node:crypto'
import { CountersignError, type WireValue } from '@countersign/protocol'
import { parseJson } from '../context/parseJson.ts'
import type { Bindings } from '../db/createBindings.ts'
import type { WrittenSort } from './writeOrder.ts'

/**
 * A cursor holds where in the order the page before ended: the values of the last object that the order goes by. It
 * is not a place in a list, so objects that come and go meanwhile neither hide others nor show them twice.
 */
export function writeCursor(query: string, values: WireValue[]): string {
  return Buffer.from(JSON.stringify([query, ...values])).toString('base64url')
}

/** What a cursor belongs to: it makes no sense for another class, condition or order. */
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
      'The cursor does not belong to this query. Begin again with cursor=true, and keep class, where and order.',
    )
  }
  return (parts as WireValue[]).slice(1)
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object' || JSON.stringify(value).length < 100_000
}

/** What comes after the values in the order. */
export function writeAfter(bindings: Bindings, sorts: readonly WrittenSort[], values: readonly WireValue[]): string {
  const [sort, ...rest] = sorts
  const [value, ...others] = values
  if (!sort || value === undefined) return 'false'
  const bound = value === null ? 'null' : bindValue(bindings, sort.type, value)
  const beyond = writeBeyond(sort, value, bound)
  if (rest.length === 0) return beyond
  const equal = value === null ? `${sort.expression()} is null` : `${sort.expression()} = ${bound}`
  const after = `(${beyond} or (${equal} and ${writeAfter(bindings, rest, others)}))`
  // Said twice, for an index: what comes before the value of the first part need not be looked at.
  return value === null || (sort.descending && sort.isNullable)
    ? after
    : `(${sort.expression()} ${sort.descending ? '<=' : '>='} ${bound} and ${after})`
}

function writeBeyond({ expression, descending, isNullable }: WrittenSort, value: WireValue, bound: string): string {
  if (value === null) return descending ? 'false' : `${expression()} is not null`
  if (!descending) return `${expression()} > ${bound}`
  return isNullable ? `(${expression()} < ${bound} or ${expression()} is null)` : `${expression()} < ${bound}`
}

function bindValue(bindings: Bindings, type: string, value: WireValue): string {
  return `${bindings.bind(type === 'jsonb' ? JSON.stringify(value) : typeof value === 'object' ? JSON.stringify(value) : value)}::${type}`
}
