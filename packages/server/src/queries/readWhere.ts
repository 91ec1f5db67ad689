import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { hashToken } from '../context/newToken.ts'
import type { Asking } from './Asking.ts'
import type { Condition } from './Condition.ts'
import { all, any, not } from './conditions.ts'
import { checkAskable, countConditions, type Reading, type Where } from './Reading.ts'
import { readConstraints } from './readConstraints.ts'
import { readRelatedTo } from './readRelatedTo.ts'
import { readRelation } from './readRelation.ts'
import { readName, resolvePlace } from './resolvePlace.ts'

/** Reads the conditions of a query: names, values and shapes are checked here, once, and trusted from here on. */
export function readWhere(asking: Asking, schema: ClassSchema, where: unknown): Condition {
  const reading: Reading = {
    ...asking,
    conditions: 0,
    patterns: { count: 0, length: 0 },
    subqueries: 0,
    read: (inner, other, part) => readConditions(inner, other, part, 0),
  }
  return reading.read(reading, schema, readObject(where))
}

/** A `where` must be an object; the older clients send it as text in the query string. */
function readObject(where: unknown): Where {
  if (where === undefined || where === null) return {}
  if (typeof where !== 'object' || Array.isArray(where)) {
    throw new CountersignError('InvalidJson', 'where parameter is not valid JSON')
  }
  return where as Where
}

function readConditions(reading: Reading, schema: ClassSchema, where: Where, depth: number): Condition {
  const { queryDepth } = reading.config.requestComplexity
  if (depth > queryDepth) {
    throw new CountersignError('InvalidQuery', `Conditions may be nested ${queryDepth} levels deep at most.`)
  }
  return all(Object.entries(where).map(([key, value]) => readEntry(reading, schema, key, value, depth)))
}

function readEntry(reading: Reading, schema: ClassSchema, key: string, value: WireValue, depth: number): Condition {
  countConditions(reading, 1)
  switch (key) {
    case '$or':
      return any(readAlternatives(reading, schema, key, value, depth))
    case '$and':
      return all(readAlternatives(reading, schema, key, value, depth))
    case '$nor':
      return not(any(readAlternatives(reading, schema, key, value, depth)))
    case '$relatedTo':
      return readRelatedTo(reading, schema, value)
    case 'ACL':
      throw new CountersignError('InvalidQuery', 'Cannot query on ACL.')
  }
  const name = readName(key)
  checkAskable(reading, schema, name[0])
  if (schema.className === '_Session' && key === 'sessionToken') return readToken(value)
  if (schema.relations.has(name[0]) && name.length === 1) return readRelation(reading, schema, key, value)
  return readConstraints(reading, resolvePlace(schema, name), key, value)
}

function readAlternatives(
  reading: Reading,
  schema: ClassSchema,
  operator: string,
  value: WireValue,
  depth: number,
): Condition[] {
  if (!Array.isArray(value)) {
    throw new CountersignError('InvalidQuery', `Bad ${operator} format - use an array value.`)
  }
  if (value.length === 0) {
    throw new CountersignError('InvalidQuery', `Bad ${operator} format - use an array with at least one query.`)
  }
  return value.map((part) => {
    countConditions(reading, 1)
    if (part === null || typeof part !== 'object' || Array.isArray(part)) {
      throw new CountersignError('InvalidQuery', `Bad ${operator} format - each of its entries must be an object.`)
    }
    return readConditions(reading, schema, part as Where, depth + 1)
  })
}

/** Of a session only the hash of its token is kept. */
function readToken(value: WireValue): Condition {
  const constraint = value as { $eq?: WireValue; $in?: WireValue } | null
  const given = typeof value === 'string' ? value : (constraint?.$eq ?? constraint?.$in)
  const tokens = Array.isArray(given) ? given : [given]
  if (tokens.some((token) => typeof token !== 'string')) {
    throw new CountersignError('InvalidQuery', 'A sessionToken can only be compared with a text.')
  }
  const values = tokens.map((token) => ({
    __type: 'Bytes' as const,
    base64: hashToken(token as string).toString('base64'),
  }))
  return { kind: 'equals', place: { field: '_token_hash', type: 'Bytes', path: [] }, values }
}
