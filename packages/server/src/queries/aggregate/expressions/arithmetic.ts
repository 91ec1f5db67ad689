import { compareValues } from '../compareValues.ts'
import { asJson, asNumber } from '../convert.ts'
import type { Value } from '../Value.ts'
import type { Operator } from '../writeExpression.ts'
import { readArguments } from './readArguments.ts'

const number = (sql: string): Value => ({ sql, type: 'number' })
const any = Number.POSITIVE_INFINITY

/** Numbers. Dates can be added to and subtracted from, in milliseconds. */
export const arithmetic: [string, Operator][] = [
  [
    '$add',
    (place, argument, write) => {
      const values = readArguments(place, write, '$add', argument, 1, any)
      const date = values.find((value) => value.type === 'date')
      const numbers = values.filter((value) => value !== date).map(asNumber)
      if (!date) return number(`(${numbers.join(' + ')})`)
      return { sql: `(${[date.sql, ...numbers.map(milliseconds)].join(' + ')})`, type: 'date' }
    },
  ],
  [
    '$subtract',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$subtract', argument, 2) as [Value, Value]
      if (left.type !== 'date') return number(`(${asNumber(left)} - ${asNumber(right)})`)
      if (right.type !== 'date') return { sql: `(${left.sql} - ${milliseconds(asNumber(right))})`, type: 'date' }
      return number(`(date_part('epoch', ${left.sql} - ${right.sql}) * 1000)`)
    },
  ],
  [
    '$multiply',
    (place, argument, write) =>
      number(`(${readArguments(place, write, '$multiply', argument, 1, any).map(asNumber).join(' * ')})`),
  ],
  [
    '$divide',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$divide', argument, 2) as [Value, Value]
      return number(`(${asNumber(left)} / nullif(${asNumber(right)}, 0))`)
    },
  ],
  [
    '$mod',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$mod', argument, 2) as [Value, Value]
      return number(`mod((${asNumber(left)})::numeric, nullif(${asNumber(right)}, 0)::numeric)::double precision`)
    },
  ],
  [
    '$pow',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$pow', argument, 2) as [Value, Value]
      return number(`power(${asNumber(left)}, ${asNumber(right)})`)
    },
  ],
  [
    '$round',
    (place, argument, write) => {
      const [value, places] = readArguments(place, write, '$round', argument, 1, 2) as [Value, Value?]
      const digits = places ? `(${asNumber(places)})::int` : '0'
      return number(`round((${asNumber(value)})::numeric, ${digits})::double precision`)
    },
  ],
  ['$sqrt', one('$sqrt', (sql) => `sqrt(case when ${sql} >= 0 then ${sql} end)`)],
  ['$abs', one('$abs', (sql) => `abs(${sql})`)],
  ['$ceil', one('$ceil', (sql) => `ceil(${sql})`)],
  ['$floor', one('$floor', (sql) => `floor(${sql})`)],
  ['$trunc', one('$trunc', (sql) => `trunc(${sql})`)],
  ['$sum', several('$sum', (numbers) => `(${numbers.map((sql) => `coalesce(${sql}, 0)`).join(' + ')})`)],
  [
    '$avg',
    several(
      '$avg',
      (numbers) => `(select avg(v) from (values ${numbers.map((sql) => `(${sql})`).join(', ')}) as l (v))`,
    ),
  ],
  ['$min', extreme('$min', 'least')],
  ['$max', extreme('$max', 'greatest')],
  [
    '$cmp',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$cmp', argument, 2) as [Value, Value]
      const { bindings } = place.work
      const than = (comparison: '<' | '>') => compareValues(bindings, comparison, left, right)
      return number(`(case when ${than('<')} then -1 when ${than('>')} then 1 else 0 end)::double precision`)
    },
  ],
]

function milliseconds(sql: string): string {
  return `make_interval(secs => (${sql}) / 1000)`
}

function one(name: string, write: (sql: string) => string): Operator {
  return (place, argument, writeInner) => {
    const [value] = readArguments(place, writeInner, name, argument, 1) as [Value]
    return number(write(`(${asNumber(value)})`))
  }
}

function several(name: string, write: (numbers: string[]) => string): Operator {
  return (place, argument, writeInner) =>
    number(write(readArguments(place, writeInner, name, argument, 1, any).map(asNumber)))
}

function extreme(name: string, sqlName: string): Operator {
  return (place, argument, write) => {
    const values = readArguments(place, write, name, argument, 1, any)
    const [first] = values as [Value]
    const same = values.every((value) => value.type === first.type)
    const parts = same ? values.map((value) => value.sql) : values.map((value) => asJson(place.work.bindings, value))
    return { sql: `${sqlName}(${parts.join(', ')})`, type: same ? first.type : 'json' }
  }
}
