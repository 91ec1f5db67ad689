import type { Bindings } from '../../db/createBindings.ts'
import type { Value } from './Value.ts'

const iso = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** The value as it stands on the wire, for lists, objects and answers. */
export function asJson(bindings: Bindings, value: Value): string {
  switch (value.type) {
    case 'json':
      return value.sql
    case 'date':
      return `case when ${value.sql} is not null then jsonb_build_object('__type', 'Date', 'iso', ${isoOf(value.sql)}) end`
    case 'pointer': {
      const className = `${bindings.bind(value.targetClass ?? '')}::text`
      return `case when ${value.sql} is not null then jsonb_build_object('__type', 'Pointer', 'className', ${className}, 'objectId', ${value.sql}) end`
    }
    default:
      return `to_jsonb(${value.sql})`
  }
}

function isoOf(sql: string): string {
  return `to_char(${sql} at time zone 'UTC', ${iso})`
}

/** A number; null where the value is none. */
export function asNumber(value: Value): string {
  if (value.type === 'number') return value.sql
  if (value.type === 'boolean') return `(${value.sql})::int::double precision`
  if (value.type !== 'json') return 'null::double precision'
  return `case when jsonb_typeof(${value.sql}) = 'number' then (${value.sql} #>> '{}')::double precision end`
}

/** A text; numbers, booleans and dates are written out. */
export function asText(value: Value): string {
  switch (value.type) {
    case 'text':
    case 'pointer':
      return value.sql
    case 'json':
      return `(${value.sql} #>> '{}')`
    case 'date':
      return isoOf(value.sql)
    default:
      return `(${value.sql})::text`
  }
}

/** A point in time; null where the value is none. In objects a date is typed, or a bare text for `createdAt`. */
export function asDate(value: Value): string {
  if (value.type === 'date') return value.sql
  if (value.type === 'text') return `(${value.sql})::timestamptz`
  if (value.type === 'number') return `to_timestamp((${value.sql}) / 1000)`
  if (value.type !== 'json') return 'null::timestamptz'
  const { sql } = value
  return `case when jsonb_typeof(${sql}) = 'object' and ${sql} ->> '__type' = 'Date' then (${sql} ->> 'iso')::timestamptz when jsonb_typeof(${sql}) = 'string' then (${sql} #>> '{}')::timestamptz end`
}

/** The id that a pointer leads to, also from `Class$id` and from the object that it led to. */
export function asId(value: Value): string {
  if (value.pointer) return value.pointer.sql
  if (value.type === 'text' || value.type === 'pointer') return value.sql
  if (value.type !== 'json') return 'null::text'
  const { sql } = value
  return `case jsonb_typeof(${sql}) when 'string' then ${sql} #>> '{}' when 'object' then ${sql} ->> 'objectId' end`
}

/** Everything but false, 0, null and what is missing is true. */
export function asTruth(value: Value): string {
  if (value.type === 'boolean') return `coalesce(${value.sql}, false)`
  if (value.type === 'number') return `coalesce(${value.sql} <> 0, false)`
  if (value.type === 'json') return `coalesce(${value.sql} not in ('null', 'false', '0'), false)`
  return `(${value.sql} is not null)`
}

/** The elements of a list; none where the value is no list. */
export function elementsOf(sql: string): string {
  return `jsonb_array_elements(case when jsonb_typeof(${sql}) = 'array' then ${sql} else '[]' end)`
}
