import { type Fragment, sql } from '../../../db/sql.ts'
import type { Operator } from '../Operator.ts'
import { asDate, asNumber, asText, asTruth, type Value } from '../Value.ts'
import { readArguments } from './readArguments.ts'

export const conversions: [string, Operator][] = [
  ['$toString', to('$toString', (value) => ({ sql: asText(value), type: 'text' }))],
  ['$toDouble', to('$toDouble', (value) => ({ sql: parseNumber(value), type: 'number' }))],
  ['$toDecimal', to('$toDecimal', (value) => ({ sql: parseNumber(value), type: 'number' }))],
  ['$toInt', to('$toInt', (value) => ({ sql: sql`trunc(${parseNumber(value)})`, type: 'number' }))],
  ['$toLong', to('$toLong', (value) => ({ sql: sql`trunc(${parseNumber(value)})`, type: 'number' }))],
  [
    '$toBool',
    to('$toBool', (value) => ({
      sql: sql`case when ${value.sql} is not null then ${asTruth(value)} end`,
      type: 'boolean',
    })),
  ],
  ['$toDate', to('$toDate', (value) => ({ sql: asDate(value), type: 'date' }))],
  ['$toObjectId', to('$toObjectId', (value) => ({ sql: asText(value), type: 'text' }))],
]

function to(name: string, build: (value: Value) => Value): Operator {
  return (place, argument, write) => build((readArguments(place, write, name, argument, 1) as [Value])[0])
}

function parseNumber(value: Value): Fragment {
  if (value.type === 'text') return sql`(${value.sql})::double precision`
  if (value.type === 'date') return sql`(date_part('epoch', ${value.sql}) * 1000)`
  if (value.type !== 'json') return asNumber(value)
  const { sql: piece } = value
  return sql`case when jsonb_typeof(${piece}) in ('number', 'string') then (${piece} #>> '{}')::double precision end`
}
