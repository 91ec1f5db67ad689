import { type Fragment, sql } from '../../db/sql.ts'
import { readPattern } from '../patterns/readPattern.ts'
import { writePattern } from '../patterns/writePattern.ts'
import { lookUp } from './resolvePath.ts'
import {
  asJson,
  asNumber,
  asText,
  asTruth,
  type Comparison,
  compareValues,
  elementsOf,
  invalid,
  isObject,
  shown,
  type Value,
  writeLiteral,
} from './Value.ts'
import type { Place } from './Work.ts'
import { writeExpression } from './writeExpression.ts'

const deepest = 20

/** A `$match` over whatever the stages before it made. Where the field is a list, an element suffices. */
export function writeMatch(place: Place, where: unknown): Fragment {
  if (!isObject(where)) throw invalid('$match must be an object of conditions.')
  if (place.depth > deepest) throw invalid(`Conditions can be nested at most ${deepest} levels deep.`)
  const parts = Object.entries(where).map(([key, constraint]) => {
    if (key === '$expr') return asTruth(writeExpression(place, constraint))
    if (key === '$comment') return sql`true`
    if (key === '$and' || key === '$or' || key === '$nor') return writeJoined(place, key, constraint)
    if (key.startsWith('$')) throw invalid(`$match does not support ${shown(key)} here.`)
    return writeConstraint(place, lookUp(place.scope, key), constraint)
  })
  return joinWith(' and ', parts, sql`true`)
}

function writeJoined(place: Place, key: '$and' | '$or' | '$nor', list: unknown): Fragment {
  if (!Array.isArray(list) || list.length === 0) throw invalid(`Bad ${key} format - use an array value.`)
  const inner = { ...place, depth: place.depth + 1 }
  const parts = list.map((where) => writeMatch(inner, where))
  if (key === '$and') return joinWith(' and ', parts, sql`true`)
  const any = joinWith(' or ', parts, sql`false`)
  return key === '$or' ? any : sql`(not ${any})`
}

function joinWith(word: string, parts: Fragment[], none: Fragment): Fragment {
  return parts.length === 0 ? none : sql`(${sql.join(parts, word)})`
}

function writeConstraint(place: Place, value: Value, constraint: unknown): Fragment {
  const isOperators = isObject(constraint) && Object.keys(constraint).some((key) => key.startsWith('$'))
  if (!isOperators) return writeEqual(place, value, constraint)
  const parts = Object.entries(constraint).map(([operator, argument]) =>
    writeOperator(place, value, operator, argument, constraint),
  )
  return joinWith(' and ', parts, sql`true`)
}

const comparisons: { [operator: string]: Comparison } = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

function writeOperator(
  place: Place,
  value: Value,
  operator: string,
  argument: unknown,
  constraint: Record<string, unknown>,
): Fragment {
  if (Object.hasOwn(comparisons, operator)) {
    return some(place, value, (item) => writeComparison(comparisons[operator] ?? '=', item, argument))
  }
  switch (operator) {
    case '$eq':
      return writeEqual(place, value, argument)
    case '$ne':
      return sql`(not ${writeEqual(place, value, argument)})`
    case '$in':
      return writeIn(place, value, operator, argument)
    case '$nin':
      return sql`(not ${writeIn(place, value, operator, argument)})`
    case '$exists':
      return argument ? sql`(${value.sql} is not null)` : sql`(${value.sql} is null)`
    case '$not':
      return sql`(not ${writeConstraint(place, value, argument)})`
    case '$all': {
      if (!Array.isArray(argument)) throw invalid('bad $all value')
      return joinWith(
        ' and ',
        argument.map((item) => writeEqual(place, value, item)),
        sql`false`,
      )
    }
    case '$size': {
      if (!Number.isSafeInteger(argument)) throw invalid('bad $size value')
      const piece = asJson(value)
      const length = sql`case when jsonb_typeof(${piece}) = 'array' then jsonb_array_length(${piece}) end`
      return sql`coalesce(${length} = ${sql.param(argument)}::bigint, false)`
    }
    case '$mod': {
      const [divisor, remainder] = Array.isArray(argument) ? argument : []
      if (!Number.isFinite(divisor) || !Number.isFinite(remainder) || divisor === 0) throw invalid('bad $mod value')
      const mod = sql`mod((${asNumber(value)})::numeric, ${sql.param(divisor)}::numeric)`
      return sql`coalesce(${mod} = ${sql.param(remainder)}::numeric, false)`
    }
    case '$elemMatch':
      return writeElement(place, value, argument)
    case '$regex':
      return writeRegex(place, value, argument, constraint.$options ?? '')
    case '$options':
      if (!Object.hasOwn(constraint, '$regex')) throw invalid('$options needs a $regex.')
      return sql`true`
  }
  throw invalid(`bad constraint: ${shown(operator)}`)
}

function writeComparison(comparison: Comparison, value: Value, argument: unknown): Fragment {
  const literal = asDateWhere(value, argument)
  const right = writeLiteral(literal)
  // Inside an object, only values of the same type have an order.
  if (value.type !== 'json' || right.type === 'number' || right.type === 'date') {
    return compareValues(comparison, value, right)
  }
  const alike = sql`jsonb_typeof(${value.sql}) = jsonb_typeof(${asJson(right)})`
  const ordered =
    right.type === 'text'
      ? sql`${asText(value)} collate "C" ${sql.raw(comparison)} ${right.sql}`
      : sql`${value.sql} ${sql.raw(comparison)} ${asJson(right)}`
  return sql`coalesce(${alike} and ${ordered}, false)`
}

function writeEqual(place: Place, value: Value, argument: unknown): Fragment {
  if (argument === null) return sql`(${value.sql} is null)`
  const right = writeLiteral(asDateWhere(value, argument))
  return some(place, value, (item) => compareValues('=', item, right))
}

/** A bare text in the place of a date is read as one. */
function asDateWhere(value: Value, argument: unknown): unknown {
  if (value.type !== 'date' || typeof argument !== 'string') return argument
  if (Number.isNaN(Date.parse(argument))) throw invalid(`${shown(argument)} is not a date.`)
  return { __type: 'Date', iso: argument }
}

function writeIn(place: Place, value: Value, operator: string, argument: unknown): Fragment {
  if (!Array.isArray(argument)) throw invalid(`bad ${operator} value`)
  return joinWith(
    ' or ',
    argument.map((item) => writeEqual(place, value, item)),
    sql`false`,
  )
}

/** The value itself or, where it is a list, one of its elements. */
function some(place: Place, value: Value, write: (item: Value) => Fragment): Fragment {
  if (value.type !== 'json' || value.isObject) return write(value)
  const item: Value = { sql: place.work.fresh('e'), type: 'json' }
  return sql`(${write(value)} or exists (select from ${elementsOf(value.sql)} ${item.sql} where ${write(item)}))`
}

function writeElement(place: Place, value: Value, argument: unknown): Fragment {
  if (!isObject(argument)) throw invalid('bad $elemMatch value')
  const piece = asJson(value)
  const item: Value = { sql: place.work.fresh('e'), type: 'json', isObject: true }
  const isOperators = Object.keys(argument).some((key) => key.startsWith('$') && !/^\$(and|or|nor)$/.test(key))
  const scope = { ...place.scope, columns: new Map(), rest: item }
  const inner = isOperators
    ? writeConstraint(place, item, argument)
    : writeMatch({ ...place, scope, depth: place.depth + 1 }, argument)
  return sql`exists (select from ${elementsOf(piece)} ${item.sql} where ${inner})`
}

function writeRegex(place: Place, value: Value, source: unknown, options: unknown): Fragment {
  if (typeof source !== 'string') throw invalid('bad regex')
  if (typeof options !== 'string' || !/^[imsxu]*$/.test(options)) {
    throw invalid(`Bad $options value for query: ${shown(options)}`)
  }
  const pattern = writePattern(readPattern(source, options, place.work.mostLetters).tree)
  return some(place, value, (item) => {
    const text =
      item.type === 'json' ? sql`case when jsonb_typeof(${item.sql}) = 'string' then ${asText(item)} end` : asText(item)
    return sql`coalesce(${text} ~ ${sql.param(pattern)}::text, false)`
  })
}
