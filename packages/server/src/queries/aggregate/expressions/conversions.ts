import { asDate, asNumber, asText, asTruth } from '../convert.ts'
import type { Value } from '../Value.ts'
import type { Operator } from '../writeExpression.ts'
import { readArguments } from './readArguments.ts'

export const conversions: [string, Operator][] = [
  ['$toString', to('$toString', (value) => ({ sql: asText(value), type: 'text' }))],
  ['$toDouble', to('$toDouble', (value) => ({ sql: parseNumber(value), type: 'number' }))],
  ['$toDecimal', to('$toDecimal', (value) => ({ sql: parseNumber(value), type: 'number' }))],
  ['$toInt', to('$toInt', (value) => ({ sql: `trunc(${parseNumber(value)})`, type: 'number' }))],
  ['$toLong', to('$toLong', (value) => ({ sql: `trunc(${parseNumber(value)})`, type: 'number' }))],
  [
    '$toBool',
    to('$toBool', (value) => ({
      sql: `case when ${value.sql} is not null then ${asTruth(value)} end`,
      type: 'boolean',
    })),
  ],
  ['$toDate', to('$toDate', (value) => ({ sql: asDate(value), type: 'date' }))],
  ['$toObjectId', to('$toObjectId', (value) => ({ sql: asText(value), type: 'text' }))],
]

function to(name: string, build: (value: Value) => Value): Operator {
  return (place, argument, write) => build((readArguments(place, write, name, argument, 1) as [Value])[0])
}

function parseNumber(value: Value): string {
  if (value.type === 'text') return `(${value.sql})::double precision`
  if (value.type === 'date') return `(date_part('epoch', ${value.sql}) * 1000)`
  if (value.type !== 'json') return asNumber(value)
  const { sql } = value
  return `case when jsonb_typeof(${sql}) in ('number', 'string') then (${sql} #>> '{}')::double precision end`
}
