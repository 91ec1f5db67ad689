import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { inferFieldType } from '../../classes/columns.ts'
import { type Fragment, sql } from '../../db/sql.ts'

/** Type of an SQL expression in a pipeline. `json` stands for all others. */
export type ValueType = 'number' | 'text' | 'boolean' | 'date' | 'pointer' | 'json'

export type Value = {
  sql: Fragment
  /** Of a stage's result: the name of its column. */
  column?: string
  type: ValueType
  /** Of a pointer: the class that it leads to. */
  targetClass?: string
  /** Of json: an object of this class, so that its fields have types. */
  document?: ClassSchema
  /** Of json: known to be no list, so that a path need not look into its elements. */
  isObject?: boolean
  /** Of text `Class$id`: the pointer that it was written from. */
  pointer?: Value
  /** Marks a field that may be missing: left out of the response rather than null. */
  optional?: boolean
}

/** No value at all. The same piece everywhere, so that it can be recognized. */
export const nullJson = sql`null::jsonb`

export const missing: Value = { sql: nullJson, type: 'json', optional: true }

/** A pipeline that cannot be carried out. */
export function invalid(message: string): CountersignError {
  return new CountersignError('InvalidQuery', message)
}

/** A client's own text inside a message: short, so that a response never returns a whole request. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A condition that is true or false, never null. Values of different types are unequal and in no order. */
export function compareValues(comparison: Comparison, left: Value, right: Value): Fragment {
  const sides = bring(left, right)
  if (!sides)
    return comparison === '<>'
      ? sql`(${left.sql} is not null or ${right.sql} is not null)`
      : bothMissing(comparison, left, right)
  if (comparison === '=') return sql`(${sides[0]} is not distinct from ${sides[1]})`
  if (comparison === '<>') return sql`(${sides[0]} is distinct from ${sides[1]})`
  return sql`coalesce(${sides[0]} ${sql.raw(comparison)} ${sides[1]}, false)`
}

function bothMissing(comparison: Comparison, left: Value, right: Value): Fragment {
  return comparison === '=' ? sql`(${left.sql} is null and ${right.sql} is null)` : sql`false`
}

/** Both sides in one type; `undefined` where their types have nothing in common. */
function bring(left: Value, right: Value): [Fragment, Fragment] | undefined {
  if (left.type === 'pointer' || right.type === 'pointer') {
    const other = left.type === 'pointer' ? right.type : left.type
    return other === 'pointer' || other === 'text' || other === 'json' ? [asId(left), asId(right)] : undefined
  }
  if (left.type === right.type) return [left.sql, right.sql]
  if (left.type !== 'json' && right.type !== 'json') return undefined
  const typed = left.type === 'json' ? right : left
  if (typed.type === 'number') return [asNumber(left), asNumber(right)]
  if (typed.type === 'date') return [safeDate(left), safeDate(right)]
  return [asJson(left), asJson(right)]
}

/** A text of any kind must not break a comparison with a date: only what looks like one is read as one. */
function safeDate(value: Value): Fragment {
  if (value.type !== 'json') return value.sql
  return sql`case
    when ${value.sql} #>> '{}' ~ '^\\d{4}-\\d\\d-\\d\\dT' or ${value.sql} ->> '__type' = 'Date' then ${asDate(value)}
  end`
}

/** The one type of several values, or json where they differ. */
export function commonType(values: Value[]): ValueType {
  const [first] = values
  if (!first) return 'json'
  const same = values.every((value) => value.type === first.type && value.targetClass === first.targetClass)
  return same ? first.type : 'json'
}

const iso = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** The value in wire form, for lists, objects and responses. */
export function asJson(value: Value): Fragment {
  switch (value.type) {
    case 'json':
      return value.sql
    case 'date':
      return sql`case when ${value.sql} is not null
        then jsonb_build_object('__type', 'Date', 'iso', ${isoOf(value.sql)}) end`
    case 'pointer': {
      const className = sql`${sql.param(value.targetClass ?? '')}::text`
      return sql`case when ${value.sql} is not null
        then jsonb_build_object('__type', 'Pointer', 'className', ${className}, 'objectId', ${value.sql}) end`
    }
    default:
      return sql`to_jsonb(${value.sql})`
  }
}

function isoOf(piece: Fragment): Fragment {
  return sql`to_char(${piece} at time zone 'UTC', ${iso})`
}

/** A number; null for other values. */
export function asNumber(value: Value): Fragment {
  if (value.type === 'number') return value.sql
  if (value.type === 'boolean') return sql`(${value.sql})::int::double precision`
  if (value.type !== 'json') return sql`null::double precision`
  return sql`case when jsonb_typeof(${value.sql}) = 'number' then (${value.sql} #>> '{}')::double precision end`
}

/** A text; numbers, booleans and dates are written out. */
export function asText(value: Value): Fragment {
  switch (value.type) {
    case 'text':
    case 'pointer':
      return value.sql
    case 'json':
      return sql`(${value.sql} #>> '{}')`
    case 'date':
      return isoOf(value.sql)
    default:
      return sql`(${value.sql})::text`
  }
}

/** A point in time; null for other values. In objects a date is typed, or a bare text for `createdAt`. */
export function asDate(value: Value): Fragment {
  if (value.type === 'date') return value.sql
  if (value.type === 'text') return sql`(${value.sql})::timestamptz`
  if (value.type === 'number') return sql`to_timestamp((${value.sql}) / 1000)`
  if (value.type !== 'json') return sql`null::timestamptz`
  const { sql: piece } = value
  return sql`case
    when jsonb_typeof(${piece}) = 'object' and ${piece} ->> '__type' = 'Date' then (${piece} ->> 'iso')::timestamptz
    when jsonb_typeof(${piece}) = 'string' then (${piece} #>> '{}')::timestamptz
  end`
}

/** The id that a pointer leads to, also from `Class$id` and from the object that it led to. */
export function asId(value: Value): Fragment {
  if (value.pointer) return value.pointer.sql
  if (value.type === 'text' || value.type === 'pointer') return value.sql
  if (value.type !== 'json') return sql`null::text`
  const { sql: piece } = value
  return sql`case jsonb_typeof(${piece})
    when 'string' then ${piece} #>> '{}'
    when 'object' then ${piece} ->> 'objectId'
  end`
}

/** Everything but false, 0, null and what is missing is true. */
export function asTruth(value: Value): Fragment {
  if (value.type === 'boolean') return sql`coalesce(${value.sql}, false)`
  if (value.type === 'number') return sql`coalesce(${value.sql} <> 0, false)`
  if (value.type === 'json') return sql`coalesce(${value.sql} not in ('null', 'false', '0'), false)`
  return sql`(${value.sql} is not null)`
}

/** Elements of a list; none for other values. */
export function elementsOf(piece: Fragment): Fragment {
  return sql`jsonb_array_elements(case when jsonb_typeof(${piece}) = 'array' then ${piece} else '[]' end)`
}

type Typed = { [key: string]: WireValue }

/** A value of the client, bound. */
export function writeLiteral(literal: unknown): Value {
  const bound = (value: unknown, type: string) => sql`${sql.param(value)}::${sql.raw(type)}`
  if (literal === null || literal === undefined) return { sql: nullJson, type: 'json' }
  if (typeof literal === 'number') return { sql: bound(literal, 'double precision'), type: 'number' }
  if (typeof literal === 'string') return { sql: bound(literal, 'text'), type: 'text' }
  if (typeof literal === 'boolean') return { sql: bound(literal, 'boolean'), type: 'boolean' }
  // Refuses what is not well formed.
  const field = inferFieldType(literal as WireValue)
  const typed = literal as Typed
  if (field?.type === 'Date') return { sql: bound(new Date(typed.iso as string), 'timestamptz'), type: 'date' }
  if (field?.type === 'Pointer') {
    return { sql: bound(typed.objectId, 'text'), type: 'pointer', targetClass: field.targetClass ?? '' }
  }
  return { sql: bound(JSON.stringify(literal), 'jsonb'), type: 'json' }
}
