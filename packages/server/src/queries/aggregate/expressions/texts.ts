import { asNumber, asText } from '../convert.ts'
import { invalid, isObject } from '../invalid.ts'
import type { Value } from '../Value.ts'
import type { Operator } from '../writeExpression.ts'
import { readArguments } from './readArguments.ts'

const text = (sql: string): Value => ({ sql, type: 'text' })
const any = Number.POSITIVE_INFINITY

export const texts: [string, Operator][] = [
  [
    '$concat',
    (place, argument, write) =>
      text(`(${readArguments(place, write, '$concat', argument, 1, any).map(asText).join(' || ')})`),
  ],
  ['$toUpper', one('$toUpper', (sql) => text(`upper(coalesce(${sql}, ''))`))],
  ['$toLower', one('$toLower', (sql) => text(`lower(coalesce(${sql}, ''))`))],
  ['$strLenCP', one('$strLenCP', (sql) => ({ sql: `length(${sql})::double precision`, type: 'number' }))],
  ['$substr', substring('$substr')],
  ['$substrCP', substring('$substrCP')],
  ['$substrBytes', substring('$substrBytes')],
  ['$trim', trim('$trim', 'btrim')],
  ['$ltrim', trim('$ltrim', 'ltrim')],
  ['$rtrim', trim('$rtrim', 'rtrim')],
  [
    '$split',
    (place, argument, write) => {
      const [value, separator] = readArguments(place, write, '$split', argument, 2) as [Value, Value]
      return { sql: `to_jsonb(string_to_array(${asText(value)}, ${asText(separator)}))`, type: 'json' }
    },
  ],
]

function one(name: string, build: (sql: string) => Value): Operator {
  return (place, argument, write) => {
    const [value] = readArguments(place, write, name, argument, 1) as [Value]
    return build(asText(value))
  }
}

/** A negative length means the rest of the text. */
function substring(name: string): Operator {
  return (place, argument, write) => {
    const [value, from, length] = readArguments(place, write, name, argument, 3) as [Value, Value, Value]
    const [sql, start, count] = [
      asText(value),
      `greatest((${asNumber(from)})::int, 0) + 1`,
      `(${asNumber(length)})::int`,
    ]
    return text(`case when ${count} < 0 then substr(${sql}, ${start}) else substr(${sql}, ${start}, ${count}) end`)
  }
}

function trim(name: string, sqlName: string): Operator {
  return (place, argument, write) => {
    if (!isObject(argument) || !Object.hasOwn(argument, 'input')) throw invalid(`${name} needs an object with input.`)
    const value = asText(write(place, argument.input))
    if (!Object.hasOwn(argument, 'chars')) return text(`${sqlName}(${value}, e' \\t\\n\\r')`)
    return text(`${sqlName}(${value}, ${asText(write(place, argument.chars))})`)
  }
}
