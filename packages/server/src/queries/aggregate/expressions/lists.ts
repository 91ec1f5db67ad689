import { compareValues } from '../compareValues.ts'
import { asJson, asNumber, asTruth, elementsOf } from '../convert.ts'
import { invalid, isObject } from '../invalid.ts'
import type { Value } from '../Value.ts'
import type { Place } from '../Work.ts'
import type { Operator, Write } from '../writeExpression.ts'
import { readArguments } from './readArguments.ts'

const json = (sql: string): Value => ({ sql, type: 'json' })

export const lists: [string, Operator][] = [
  [
    '$size',
    (place, argument, write) => {
      const [list] = readArguments(place, write, '$size', argument, 1) as [Value]
      const sql = asJson(place.work.bindings, list)
      return {
        sql: `case when jsonb_typeof(${sql}) = 'array' then jsonb_array_length(${sql})::double precision end`,
        type: 'number',
      }
    },
  ],
  [
    '$arrayElemAt',
    (place, argument, write) => {
      const [list, index] = readArguments(place, write, '$arrayElemAt', argument, 2) as [Value, Value]
      return element(place, list, `(${asNumber(index)})::int`)
    },
  ],
  [
    '$first',
    (place, argument, write) => element(place, (readArguments(place, write, '$first', argument, 1) as [Value])[0], '0'),
  ],
  [
    '$last',
    (place, argument, write) => element(place, (readArguments(place, write, '$last', argument, 1) as [Value])[0], '-1'),
  ],
  [
    '$in',
    (place, argument, write) => {
      const [value, list] = readArguments(place, write, '$in', argument, 2) as [Value, Value]
      const { bindings, fresh } = place.work
      const item = fresh('e')
      const equal = compareValues(bindings, '=', json(item), json(asJson(bindings, value)))
      return {
        sql: `exists (select from ${elementsOf(asJson(bindings, list))} ${item} where ${equal})`,
        type: 'boolean',
      }
    },
  ],
  [
    '$isArray',
    (place, argument, write) => {
      const [value] = readArguments(place, write, '$isArray', argument, 1) as [Value]
      return { sql: `coalesce(jsonb_typeof(${asJson(place.work.bindings, value)}) = 'array', false)`, type: 'boolean' }
    },
  ],
  [
    '$concatArrays',
    (place, argument, write) => {
      const values = readArguments(place, write, '$concatArrays', argument, 1, Number.POSITIVE_INFINITY)
      return json(`(${values.map((value) => asJson(place.work.bindings, value)).join(' || ')})`)
    },
  ],
  [
    '$mergeObjects',
    (place, argument, write) => {
      const values = readArguments(place, write, '$mergeObjects', argument, 1, Number.POSITIVE_INFINITY)
      const objects = values.map((value) => {
        const sql = asJson(place.work.bindings, value)
        return `case when jsonb_typeof(${sql}) = 'object' then ${sql} else '{}' end`
      })
      return { sql: `(${objects.join(' || ')})`, type: 'json', isObject: true }
    },
  ],
  ['$map', (place, argument, write) => overEach(place, '$map', 'in', argument, write)],
  ['$filter', (place, argument, write) => overEach(place, '$filter', 'cond', argument, write)],
]

function element({ work: { bindings } }: Place, list: Value, index: string): Value {
  const sql = asJson(bindings, list)
  const value = json(`case when jsonb_typeof(${sql}) = 'array' then nullif(${sql} -> ${index}, 'null') end`)
  return { ...value, ...(list.document && { document: list.document, isObject: true }), optional: true }
}

/** `$map` and `$filter`: an inner expression for each element, which it sees as a variable. */
function overEach(place: Place, name: string, inner: 'in' | 'cond', argument: unknown, write: Write): Value {
  if (!isObject(argument) || !Object.hasOwn(argument, 'input') || !Object.hasOwn(argument, inner)) {
    throw invalid(`${name} needs an object with input and ${inner}.`)
  }
  const as = argument.as ?? 'this'
  if (typeof as !== 'string' || !/^[a-z][A-Za-z0-9_]*$/.test(as)) {
    throw invalid(`${name}: as must be a name that starts with a small letter.`)
  }
  const { work, scope } = place
  const list = asJson(work.bindings, write(place, argument.input))
  const [item, position] = [work.fresh('e'), work.fresh('p')]
  const variables = new Map([...scope.variables, [as, json(item)] as const])
  const value = write({ ...place, scope: { ...scope, variables } }, argument[inner])
  const each = inner === 'in' ? asJson(work.bindings, value) : item
  const only = inner === 'in' ? '' : ` where ${asTruth(value)}`
  const source = `${elementsOf(list)} with ordinality as ${item}_ (${item}, ${position})`
  return json(
    `case when jsonb_typeof(${list}) = 'array' then (select coalesce(jsonb_agg(${each} order by ${position}), '[]') from ${source}${only}) end`,
  )
}
