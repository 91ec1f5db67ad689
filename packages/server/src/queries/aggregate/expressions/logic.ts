import { type Fragment, sql } from '../../../db/sql.ts'
import type { Operator } from '../Operator.ts'
import {
  asJson,
  asTruth,
  type Comparison,
  commonType,
  compareValues,
  invalid,
  isObject,
  nullJson,
  type Value,
  writeLiteral,
} from '../Value.ts'
import { readArguments } from './readArguments.ts'

const boolean = (piece: Fragment): Value => ({ sql: piece, type: 'boolean' })
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
      return boolean(compareValues(comparison, left, right))
    },
  ]),
  ['$and', joined('$and', ' and ', sql`true`)],
  ['$or', joined('$or', ' or ', sql`false`)],
  [
    '$not',
    (place, argument, write) => {
      const [value] = readArguments(place, write, '$not', argument, 1) as [Value]
      return boolean(sql`(not ${asTruth(value)})`)
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
      return choose([{ test: asTruth(test), value: yes }], no)
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
      return choose(cases, write(place, argument.default ?? null))
    },
  ],
  [
    '$ifNull',
    (place, argument, write) => {
      const values = readArguments(place, write, '$ifNull', argument, 2, any)
      const { type, parts } = alike(values)
      return { ...type, sql: sql`coalesce(${sql.join(parts, ', ')})` }
    },
  ],
  ['$literal', (_place, argument) => writeLiteral(argument)],
]

function joined(name: string, word: string, none: Fragment): Operator {
  return (place, argument, write) => {
    const values = readArguments(place, write, name, argument, 0, any)
    return boolean(values.length === 0 ? none : sql`(${sql.join(values.map(asTruth), word)})`)
  }
}

function choose(cases: { test: Fragment; value: Value }[], otherwise: Value): Value {
  const { type, parts } = alike([...cases.map((branch) => branch.value), otherwise])
  const whens = cases.map(({ test }, index) => sql`when ${test} then ${parts[index]}`)
  return { ...type, sql: sql`(case ${sql.join(whens, ' ')} else ${parts.at(-1)} end)` }
}

/** Several values as one type; a literal null goes with every type. */
function alike(values: Value[]): { type: Omit<Value, 'sql'>; parts: Fragment[] } {
  const given = values.filter((value) => value.sql !== nullJson)
  const type = commonType(given)
  if (type === 'json') return { type: { type }, parts: values.map((value) => asJson(value)) }
  const targetClass = given[0]?.targetClass
  return {
    type: { type, ...(targetClass !== undefined && { targetClass }) },
    parts: values.map((value) => (value.sql === nullJson ? sql`null` : value.sql)),
  }
}
