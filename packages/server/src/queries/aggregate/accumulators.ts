import { asJson, asNumber } from './convert.ts'
import { invalid, isObject } from './invalid.ts'
import type { Value } from './Value.ts'
import type { Place } from './Work.ts'
import { writeExpression } from './writeExpression.ts'

/** Writes an accumulator of `$group`; `order` is the column that keeps the order of the rows. */
type Accumulator = (place: Place, order: string | undefined, argument: unknown) => Value

const number = (sql: string): Value => ({ sql, type: 'number' })

const overNumbers =
  (build: (sql: string) => string): Accumulator =>
  (place, _order, argument) =>
    number(build(asNumber(writeExpression(place, argument))))

export const accumulators: ReadonlyMap<string, Accumulator> = new Map<string, Accumulator>([
  ['$sum', overNumbers((sql) => `coalesce(sum(${sql}), 0)`)],
  ['$avg', overNumbers((sql) => `avg(${sql})`)],
  ['$stdDevPop', overNumbers((sql) => `stddev_pop(${sql})`)],
  ['$stdDevSamp', overNumbers((sql) => `stddev_samp(${sql})`)],
  [
    '$count',
    (_place, _order, argument) => {
      if (!isObject(argument) || Object.keys(argument).length > 0) throw invalid('$count in $group takes {}.')
      return number('count(*)::double precision')
    },
  ],
  ['$min', extreme('min', 'asc')],
  ['$max', extreme('max', 'desc')],
  ['$first', end('')],
  ['$last', end(' desc')],
  [
    '$push',
    (place, order, argument) => {
      const value = writeExpression(place, argument)
      const filter = value.optional ? ` filter (where ${value.sql} is not null)` : ''
      const sorted = order ? ` order by ${order}` : ''
      return list(`jsonb_agg(${asJson(place.work.bindings, value)}${sorted})${filter}`, value)
    },
  ],
  [
    '$addToSet',
    (place, _order, argument) => {
      const value = writeExpression(place, argument)
      const filter = value.optional ? ` filter (where ${value.sql} is not null)` : ''
      return list(`jsonb_agg(distinct ${asJson(place.work.bindings, value)})${filter}`, value)
    },
  ],
])

function list(sql: string, { document }: Value): Value {
  return { sql: `coalesce(${sql}, '[]')`, type: 'json', ...(document && { document }) }
}

/** PostgreSQL has no least boolean or object; of those the first in order is taken. */
function extreme(name: string, direction: string): Accumulator {
  return (place, _order, argument) => {
    const { optional, ...value } = writeExpression(place, argument)
    if (value.type !== 'json' && value.type !== 'boolean') return { ...value, sql: `${name}(${value.sql})` }
    const { sql } = value
    return { ...value, sql: `(array_agg(${sql} order by ${sql} ${direction}) filter (where ${sql} is not null))[1]` }
  }
}

/** The first or the last row; rows that were never sorted are taken as they come. */
function end(direction: string): Accumulator {
  return (place, order, argument) => {
    const { optional, ...value } = writeExpression(place, argument)
    if (order) return { ...value, sql: `(array_agg(${value.sql} order by ${order}${direction}))[1]` }
    return { ...value, sql: direction === '' ? `(array_agg(${value.sql}))[1]` : `(array_agg(${value.sql}))[count(*)]` }
  }
}
