import { type Fragment, sql } from '../../../db/sql.ts'
import type { Operator } from '../Operator.ts'
import { asNumber, asText, invalid, isObject, type Value } from '../Value.ts'
import { readArguments } from './readArguments.ts'

const text = (piece: Fragment): Value => ({ sql: piece, type: 'text' })
const any = Number.POSITIVE_INFINITY

export const texts: [string, Operator][] = [
  [
    '$concat',
    (place, argument, write) =>
      text(sql`(${sql.join(readArguments(place, write, '$concat', argument, 1, any).map(asText), ' || ')})`),
  ],
  ['$toUpper', one('$toUpper', (piece) => text(sql`upper(coalesce(${piece}, ''))`))],
  ['$toLower', one('$toLower', (piece) => text(sql`lower(coalesce(${piece}, ''))`))],
  ['$strLenCP', one('$strLenCP', (piece) => ({ sql: sql`length(${piece})::double precision`, type: 'number' }))],
  ['$substr', substring('$substr')],
  ['$substrCP', substring('$substrCP')],
  ['$substrBytes', substring('$substrBytes')],
  ['$trim', trim('$trim', sql`btrim`)],
  ['$ltrim', trim('$ltrim', sql`ltrim`)],
  ['$rtrim', trim('$rtrim', sql`rtrim`)],
  [
    '$split',
    (place, argument, write) => {
      const [value, separator] = readArguments(place, write, '$split', argument, 2) as [Value, Value]
      return { sql: sql`to_jsonb(string_to_array(${asText(value)}, ${asText(separator)}))`, type: 'json' }
    },
  ],
]

function one(name: string, build: (piece: Fragment) => Value): Operator {
  return (place, argument, write) => {
    const [value] = readArguments(place, write, name, argument, 1) as [Value]
    return build(asText(value))
  }
}

/** A negative length means the rest of the text. */
function substring(name: string): Operator {
  return (place, argument, write) => {
    const [value, from, length] = readArguments(place, write, name, argument, 3) as [Value, Value, Value]
    const [piece, start, count] = [
      asText(value),
      sql`greatest((${asNumber(from)})::int, 0) + 1`,
      sql`(${asNumber(length)})::int`,
    ]
    return text(
      sql`case when ${count} < 0 then substr(${piece}, ${start}) else substr(${piece}, ${start}, ${count}) end`,
    )
  }
}

function trim(name: string, sqlName: Fragment): Operator {
  return (place, argument, write) => {
    if (!isObject(argument) || !Object.hasOwn(argument, 'input')) throw invalid(`${name} needs an object with input.`)
    const value = asText(write(place, argument.input))
    if (!Object.hasOwn(argument, 'chars')) return text(sql`${sqlName}(${value}, e' \\t\\n\\r')`)
    return text(sql`${sqlName}(${value}, ${asText(write(place, argument.chars))})`)
  }
}
