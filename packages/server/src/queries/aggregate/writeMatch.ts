import { readPattern } from '../patterns/readPattern.ts'
import { writePattern } from '../patterns/writePattern.ts'
import { type Comparison, compareValues } from './compareValues.ts'
import { asJson, asNumber, asText, asTruth, elementsOf } from './convert.ts'
import { invalid, isObject, shown } from './invalid.ts'
import { lookUp } from './resolvePath.ts'
import type { Value } from './Value.ts'
import type { Place } from './Work.ts'
import { writeExpression } from './writeExpression.ts'
import { writeLiteral } from './writeLiteral.ts'

const deepest = 20

/** A `$match` over whatever the stages before it made. Where the field is a list, an element suffices. */
export function writeMatch(place: Place, where: unknown): string {
  if (!isObject(where)) throw invalid('$match must be an object of conditions.')
  if (place.depth > deepest) throw invalid(`Conditions may be nested ${deepest} deep at most.`)
  const parts = Object.entries(where).map(([key, constraint]) => {
    if (key === '$expr') return asTruth(writeExpression(place, constraint))
    if (key === '$comment') return 'true'
    if (key === '$and' || key === '$or' || key === '$nor') return writeJoined(place, key, constraint)
    if (key.startsWith('$')) throw invalid(`$match knows no ${shown(key)} here.`)
    return writeConstraint(place, lookUp(place.work.bindings, place.scope, key), constraint)
  })
  return joinWith(' and ', parts, 'true')
}

function writeJoined(place: Place, key: '$and' | '$or' | '$nor', list: unknown): string {
  if (!Array.isArray(list) || list.length === 0) throw invalid(`Bad ${key} format - use an array value.`)
  const inner = { ...place, depth: place.depth + 1 }
  const parts = list.map((where) => writeMatch(inner, where))
  if (key === '$and') return joinWith(' and ', parts, 'true')
  const any = joinWith(' or ', parts, 'false')
  return key === '$or' ? any : `(not ${any})`
}

function joinWith(word: string, parts: string[], none: string): string {
  return parts.length === 0 ? none : `(${parts.join(word)})`
}

function writeConstraint(place: Place, value: Value, constraint: unknown): string {
  const isOperators = isObject(constraint) && Object.keys(constraint).some((key) => key.startsWith('$'))
  if (!isOperators) return writeEqual(place, value, constraint)
  const parts = Object.entries(constraint).map(([operator, argument]) =>
    writeOperator(place, value, operator, argument, constraint),
  )
  return joinWith(' and ', parts, 'true')
}

const comparisons: { [operator: string]: Comparison } = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

function writeOperator(
  place: Place,
  value: Value,
  operator: string,
  argument: unknown,
  constraint: Record<string, unknown>,
): string {
  if (Object.hasOwn(comparisons, operator)) {
    return some(place, value, (item) => writeComparison(place, comparisons[operator] ?? '=', item, argument))
  }
  switch (operator) {
    case '$eq':
      return writeEqual(place, value, argument)
    case '$ne':
      return `(not ${writeEqual(place, value, argument)})`
    case '$in':
      return writeIn(place, value, operator, argument)
    case '$nin':
      return `(not ${writeIn(place, value, operator, argument)})`
    case '$exists':
      return argument ? `(${value.sql} is not null)` : `(${value.sql} is null)`
    case '$not':
      return `(not ${writeConstraint(place, value, argument)})`
    case '$all': {
      if (!Array.isArray(argument)) throw invalid('bad $all value')
      return joinWith(
        ' and ',
        argument.map((item) => writeEqual(place, value, item)),
        'false',
      )
    }
    case '$size': {
      if (!Number.isSafeInteger(argument)) throw invalid('bad $size value')
      const sql = asJson(place.work.bindings, value)
      const length = `case when jsonb_typeof(${sql}) = 'array' then jsonb_array_length(${sql}) end`
      return `coalesce(${length} = ${place.work.bindings.bind(argument)}::bigint, false)`
    }
    case '$mod': {
      const [divisor, remainder] = Array.isArray(argument) ? argument : []
      if (!Number.isFinite(divisor) || !Number.isFinite(remainder) || divisor === 0) throw invalid('bad $mod value')
      const { bindings } = place.work
      const mod = `mod((${asNumber(value)})::numeric, ${bindings.bind(divisor)}::numeric)`
      return `coalesce(${mod} = ${bindings.bind(remainder)}::numeric, false)`
    }
    case '$elemMatch':
      return writeElement(place, value, argument)
    case '$regex':
      return writeRegex(place, value, argument, constraint.$options ?? '')
    case '$options':
      if (!Object.hasOwn(constraint, '$regex')) throw invalid('$options needs a $regex.')
      return 'true'
  }
  throw invalid(`bad constraint: ${shown(operator)}`)
}

function writeComparison(place: Place, comparison: Comparison, value: Value, argument: unknown): string {
  const { bindings } = place.work
  const literal = asDateWhere(value, argument)
  const right = writeLiteral(bindings, literal)
  // In an object only what has the type of the other side stands in an order to it.
  if (value.type !== 'json' || right.type === 'number' || right.type === 'date') {
    return compareValues(bindings, comparison, value, right)
  }
  const alike = `jsonb_typeof(${value.sql}) = jsonb_typeof(${asJson(bindings, right)})`
  const ordered =
    right.type === 'text'
      ? `${asText(value)} collate "C" ${comparison} ${right.sql}`
      : `${value.sql} ${comparison} ${asJson(bindings, right)}`
  return `coalesce(${alike} and ${ordered}, false)`
}

function writeEqual(place: Place, value: Value, argument: unknown): string {
  if (argument === null) return `(${value.sql} is null)`
  const right = writeLiteral(place.work.bindings, asDateWhere(value, argument))
  return some(place, value, (item) => compareValues(place.work.bindings, '=', item, right))
}

/** A bare text in the place of a date is read as one. */
function asDateWhere(value: Value, argument: unknown): unknown {
  if (value.type !== 'date' || typeof argument !== 'string') return argument
  if (Number.isNaN(Date.parse(argument))) throw invalid(`${shown(argument)} is not a date.`)
  return { __type: 'Date', iso: argument }
}

function writeIn(place: Place, value: Value, operator: string, argument: unknown): string {
  if (!Array.isArray(argument)) throw invalid(`bad ${operator} value`)
  return joinWith(
    ' or ',
    argument.map((item) => writeEqual(place, value, item)),
    'false',
  )
}

/** The value itself or, where it is a list, one of its elements. */
function some(place: Place, value: Value, write: (item: Value) => string): string {
  if (value.type !== 'json' || value.isObject) return write(value)
  const item: Value = { sql: place.work.fresh('e'), type: 'json' }
  return `(${write(value)} or exists (select from ${elementsOf(value.sql)} ${item.sql} where ${write(item)}))`
}

function writeElement(place: Place, value: Value, argument: unknown): string {
  if (!isObject(argument)) throw invalid('bad $elemMatch value')
  const sql = asJson(place.work.bindings, value)
  const item: Value = { sql: place.work.fresh('e'), type: 'json', isObject: true }
  const isOperators = Object.keys(argument).some((key) => key.startsWith('$') && !/^\$(and|or|nor)$/.test(key))
  const scope = { ...place.scope, columns: new Map(), rest: item }
  const inner = isOperators
    ? writeConstraint(place, item, argument)
    : writeMatch({ ...place, scope, depth: place.depth + 1 }, argument)
  return `exists (select from ${elementsOf(sql)} ${item.sql} where ${inner})`
}

function writeRegex(place: Place, value: Value, source: unknown, options: unknown): string {
  if (typeof source !== 'string') throw invalid('bad regex')
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options)) {
    throw invalid(`Bad $options value for query: ${shown(options)}`)
  }
  const pattern = writePattern(readPattern(source, options, place.work.mostLetters).tree)
  return some(place, value, (item) => {
    const text =
      item.type === 'json' ? `case when jsonb_typeof(${item.sql}) = 'string' then ${asText(item)} end` : asText(item)
    return `coalesce(${text} ~ ${place.work.bindings.bind(pattern)}::text, false)`
  })
}
