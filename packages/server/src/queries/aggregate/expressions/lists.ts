import { type Fragment, sql } from '../../../db/sql.ts'
import type { Operator, Write } from '../Operator.ts'
import { asJson, asNumber, asTruth, compareValues, elementsOf, invalid, isObject, type Value } from '../Value.ts'
import type { Place } from '../Work.ts'
import { readArguments } from './readArguments.ts'

const json = (piece: Fragment): Value => ({ sql: piece, type: 'json' })

export const lists: [string, Operator][] = [
  [
    '$size',
    (place, argument, write) => {
      const [list] = readArguments(place, write, '$size', argument, 1) as [Value]
      const piece = asJson(list)
      return {
        sql: sql`case when jsonb_typeof(${piece}) = 'array' then jsonb_array_length(${piece})::double precision end`,
        type: 'number',
      }
    },
  ],
  [
    '$arrayElemAt',
    (place, argument, write) => {
      const [list, index] = readArguments(place, write, '$arrayElemAt', argument, 2) as [Value, Value]
      return element(list, sql`(${asNumber(index)})::int`)
    },
  ],
  [
    '$first',
    (place, argument, write) => element((readArguments(place, write, '$first', argument, 1) as [Value])[0], sql`0`),
  ],
  [
    '$last',
    (place, argument, write) => element((readArguments(place, write, '$last', argument, 1) as [Value])[0], sql`-1`),
  ],
  [
    '$in',
    (place, argument, write) => {
      const [value, list] = readArguments(place, write, '$in', argument, 2) as [Value, Value]
      const { fresh } = place.work
      const item = fresh('e')
      const equal = compareValues('=', json(item), json(asJson(value)))
      return {
        sql: sql`exists (select from ${elementsOf(asJson(list))} ${item} where ${equal})`,
        type: 'boolean',
      }
    },
  ],
  [
    '$isArray',
    (place, argument, write) => {
      const [value] = readArguments(place, write, '$isArray', argument, 1) as [Value]
      return { sql: sql`coalesce(jsonb_typeof(${asJson(value)}) = 'array', false)`, type: 'boolean' }
    },
  ],
  [
    '$concatArrays',
    (place, argument, write) => {
      const values = readArguments(place, write, '$concatArrays', argument, 1, Number.POSITIVE_INFINITY)
      const lists = values.map((value) => asJson(value))
      return json(sql`(${sql.join(lists, ' || ')})`)
    },
  ],
  [
    '$mergeObjects',
    (place, argument, write) => {
      const values = readArguments(place, write, '$mergeObjects', argument, 1, Number.POSITIVE_INFINITY)
      const objects = values.map((value) => {
        const piece = asJson(value)
        return sql`case when jsonb_typeof(${piece}) = 'object' then ${piece} else '{}' end`
      })
      return { sql: sql`(${sql.join(objects, ' || ')})`, type: 'json', isObject: true }
    },
  ],
  ['$map', (place, argument, write) => overEach(place, '$map', 'in', argument, write)],
  ['$filter', (place, argument, write) => overEach(place, '$filter', 'cond', argument, write)],
]

function element(list: Value, index: Fragment): Value {
  const piece = asJson(list)
  const value = json(sql`case when jsonb_typeof(${piece}) = 'array' then nullif(${piece} -> ${index}, 'null') end`)
  return { ...value, ...(list.document && { document: list.document, isObject: true }), optional: true }
}

/** `$map` and `$filter`: an inner expression for each element, which it sees as a variable. */
function overEach(place: Place, name: string, inner: 'in' | 'cond', argument: unknown, write: Write): Value {
  if (!isObject(argument) || !Object.hasOwn(argument, 'input') || !Object.hasOwn(argument, inner)) {
    throw invalid(`${name} needs an object with input and ${inner}.`)
  }
  const as = argument.as ?? 'this'
  if (typeof as !== 'string' || !/^[a-z][A-Za-z0-9_]*$/.test(as)) {
    throw invalid(`${name}: as must be a name that starts with a lowercase letter.`)
  }
  const { work, scope } = place
  const list = asJson(write(place, argument.input))
  const [row, item, position] = [work.fresh('i'), work.fresh('e'), work.fresh('p')]
  const variables = new Map([...scope.variables, [as, json(item)] as const])
  const value = write({ ...place, scope: { ...scope, variables } }, argument[inner])
  const each = inner === 'in' ? asJson(value) : item
  const only = inner === 'in' ? sql`` : sql` where ${asTruth(value)}`
  const source = sql`${elementsOf(list)} with ordinality as ${row} (${item}, ${position})`
  return json(sql`case when jsonb_typeof(${list}) = 'array' then (
    select coalesce(jsonb_agg(${each} order by ${position}), '[]') from ${source}${only}
  ) end`)
}
