import { type Comparison, commonType, compareValues } from '../compareValues.ts'
import { asJson, asTruth } from '../convert.ts'
import { invalid, isObject } from '../invalid.ts'
import type { Value } from '../Value.ts'
import type { Place } from '../Work.ts'
import type { Operator } from '../writeExpression.ts'
import { writeLiteral } from '../writeLiteral.ts'
import { readArguments } from './readArguments.ts'

const boolean = (sql: string): Value => ({ sql, type: 'boolean' })
const any = Number.POSITIVE_INFINITY

const comparisons: [string, Comparison][] = [
  ['$eq', '='],
  ['$ne', '<>'],
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
]

export const logic: [string, Operator][] = [
  ...comparisons.map(([name, comparison]): [string, Operator] => [
    name,
    (place, argument, write) => {
      const [left, right] = readArguments(place, write, name, argument, 2) as [Value, Value]
      return boolean(compareValues(place.work.bindings, comparison, left, right))
    },
  ]),
  ['$and', joined('$and', ' and ', 'true')],
  ['$or', joined('$or', ' or ', 'false')],
  [
    '$not',
    (place, argument, write) => {
      const [value] = readArguments(place, write, '$not', argument, 1) as [Value]
      return boolean(`(not ${asTruth(value)})`)
    },
  ],
  [
    '$cond',
    (place, argument, write) => {
      const given = isObject(argument) ? [argument.if, argument.then, argument.else] : argument
      if (isObject(argument) && !['if', 'then', 'else'].every((key) => Object.hasOwn(argument, key))) {
        throw invalid('$cond needs if, then and else.')
      }
      const [test, yes, no] = readArguments(place, write, '$cond', given, 3) as [Value, Value, Value]
      return choose(place, [{ test: asTruth(test), value: yes }], no)
    },
  ],
  [
    '$switch',
    (place, argument, write) => {
      const branches = isObject(argument) ? argument.branches : undefined
      if (!isObject(argument) || !Array.isArray(branches) || branches.length === 0) {
        throw invalid('$switch needs branches: a list of objects with case and then.')
      }
      const cases = branches.map((branch) => {
        if (!isObject(branch)) throw invalid('$switch needs branches: a list of objects with case and then.')
        return { test: asTruth(write(place, branch.case)), value: write(place, branch.then) }
      })
      return choose(place, cases, write(place, argument.default ?? null))
    },
  ],
  [
    '$ifNull',
    (place, argument, write) => {
      const values = readArguments(place, write, '$ifNull', argument, 2, any)
      const { type, parts } = alike(place, values)
      return { ...type, sql: `coalesce(${parts.join(', ')})` }
    },
  ],
  ['$literal', (place, argument) => writeLiteral(place.work.bindings, argument)],
]

function joined(name: string, word: string, none: string): Operator {
  return (place, argument, write) => {
    const values = readArguments(place, write, name, argument, 0, any)
    return boolean(values.length === 0 ? none : `(${values.map(asTruth).join(word)})`)
  }
}

function choose(place: Place, cases: { test: string; value: Value }[], otherwise: Value): Value {
  const { type, parts } = alike(place, [...cases.map((branch) => branch.value), otherwise])
  const whens = cases.map(({ test }, index) => `when ${test} then ${parts[index]}`)
  return { ...type, sql: `(case ${whens.join(' ')} else ${parts.at(-1)} end)` }
}

/** Several values as one type; a literal null goes with every type. */
function alike({ work: { bindings } }: Place, values: Value[]): { type: Omit<Value, 'sql'>; parts: string[] } {
  const given = values.filter((value) => value.sql !== 'null::jsonb')
  const type = commonType(given)
  if (type === 'json') return { type: { type }, parts: values.map((value) => asJson(bindings, value)) }
  const targetClass = given[0]?.targetClass
  return {
    type: { type, ...(targetClass !== undefined && { targetClass }) },
    parts: values.map((value) => (value.sql === 'null::jsonb' ? 'null' : value.sql)),
  }
}
