import { type Fragment, sql } from '../../../db/sql.ts'
import type { Operator } from '../Operator.ts'
import { asJson, asNumber, compareValues, type Value } from '../Value.ts'
import { readArguments } from './readArguments.ts'

const number = (piece: Fragment): Value => ({ sql: piece, type: 'number' })
const any = Number.POSITIVE_INFINITY

/** Numbers. Dates can be added to and subtracted from, in milliseconds. */
export const arithmetic: [string, Operator][] = [
  [
    '$add',
    (place, argument, write) => {
      const values = readArguments(place, write, '$add', argument, 1, any)
      const date = values.find((value) => value.type === 'date')
      const numbers = values.filter((value) => value !== date).map(asNumber)
      if (!date) return number(sql`(${sql.join(numbers, ' + ')})`)
      return { sql: sql`(${sql.join([date.sql, ...numbers.map(milliseconds)], ' + ')})`, type: 'date' }
    },
  ],
  [
    '$subtract',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$subtract', argument, 2) as [Value, Value]
      if (left.type !== 'date') return number(sql`(${asNumber(left)} - ${asNumber(right)})`)
      if (right.type !== 'date') return { sql: sql`(${left.sql} - ${milliseconds(asNumber(right))})`, type: 'date' }
      return number(sql`(date_part('epoch', ${left.sql} - ${right.sql}) * 1000)`)
    },
  ],
  [
    '$multiply',
    (place, argument, write) =>
      number(sql`(${sql.join(readArguments(place, write, '$multiply', argument, 1, any).map(asNumber), ' * ')})`),
  ],
  [
    '$divide',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$divide', argument, 2) as [Value, Value]
      return number(sql`(${asNumber(left)} / nullif(${asNumber(right)}, 0))`)
    },
  ],
  [
    '$mod',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$mod', argument, 2) as [Value, Value]
      return number(sql`mod((${asNumber(left)})::numeric, nullif(${asNumber(right)}, 0)::numeric)::double precision`)
    },
  ],
  [
    '$pow',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$pow', argument, 2) as [Value, Value]
      return number(sql`power(${asNumber(left)}, ${asNumber(right)})`)
    },
  ],
  [
    '$round',
    (place, argument, write) => {
      const [value, places] = readArguments(place, write, '$round', argument, 1, 2) as [Value, Value?]
      const digits = places ? sql`(${asNumber(places)})::int` : sql`0`
      return number(sql`round((${asNumber(value)})::numeric, ${digits})::double precision`)
    },
  ],
  ['$sqrt', one('$sqrt', (piece) => sql`sqrt(case when ${piece} >= 0 then ${piece} end)`)],
  ['$abs', one('$abs', (piece) => sql`abs(${piece})`)],
  ['$ceil', one('$ceil', (piece) => sql`ceil(${piece})`)],
  ['$floor', one('$floor', (piece) => sql`floor(${piece})`)],
  ['$trunc', one('$trunc', (piece) => sql`trunc(${piece})`)],
  [
    '$sum',
    several('$sum', (numbers) => {
      const terms = numbers.map((piece) => sql`coalesce(${piece}, 0)`)
      return sql`(${sql.join(terms, ' + ')})`
    }),
  ],
  [
    '$avg',
    several('$avg', (numbers) => {
      const rows = numbers.map((piece) => sql`(${piece})`)
      return sql`(select avg(v) from (values ${sql.join(rows)}) as l (v))`
    }),
  ],
  ['$min', extreme('$min', sql`least`)],
  ['$max', extreme('$max', sql`greatest`)],
  [
    '$cmp',
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, '$cmp', argument, 2) as [Value, Value]
      const than = (comparison: '<' | '>') => compareValues(comparison, left, right)
      return number(sql`(case when ${than('<')} then -1 when ${than('>')} then 1 else 0 end)::double precision`)
    },
  ],
]

function milliseconds(piece: Fragment): Fragment {
  return sql`make_interval(secs => (${piece}) / 1000)`
}

function one(name: string, write: (piece: Fragment) => Fragment): Operator {
  return (place, argument, writeInner) => {
    const [value] = readArguments(place, writeInner, name, argument, 1) as [Value]
    return number(write(sql`(${asNumber(value)})`))
  }
}

function several(name: string, write: (numbers: Fragment[]) => Fragment): Operator {
  return (place, argument, writeInner) =>
    number(write(readArguments(place, writeInner, name, argument, 1, any).map(asNumber)))
}

function extreme(name: string, sqlName: Fragment): Operator {
  return (place, argument, write) => {
    const values = readArguments(place, write, name, argument, 1, any)
    const [first] = values as [Value]
    const same = values.every((value) => value.type === first.type)
    const parts = same ? values.map((value) => value.sql) : values.map((value) => asJson(value))
    return { sql: sql`${sqlName}(${sql.join(parts, ', ')})`, type: same ? first.type : 'json' }
  }
}
