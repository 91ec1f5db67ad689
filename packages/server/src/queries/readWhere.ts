import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { hashToken } from '../keys/secrets.ts'
import { decide, refuseInternal } from '../permissions/decide.ts'
import { all, any, type Condition, never, not } from './Condition.ts'
import { readName, resolvePlace } from './Place.ts'
import { checkAskable, countConditions, type QueryParser, type QueryScope, type Where } from './QueryParser.ts'
import { readConstraints, splitConstraints } from './readConstraints.ts'
import { readSubquery } from './readSubquery.ts'

/** Reads the conditions of a query: names, values and shapes are checked here, once, and trusted from here on. */
export function readWhere(
  { classes, config, access, now }: QueryScope,
  schema: ClassSchema,
  where: unknown,
): Condition {
  const parser: QueryParser = {
    classes,
    config,
    access,
    now,
    conditions: 0,
    patterns: { count: 0, length: 0 },
    subqueries: 0,
    read: (inner, other, part) => readConditions(inner, other, part, 0),
  }
  return parser.read(parser, schema, readObject(where))
}

/** A `where` must be an object; the older clients send it as text in the query string. */
function readObject(where: unknown): Where {
  if (where === undefined || where === null) return {}
  if (typeof where !== 'object' || Array.isArray(where)) {
    throw new CountersignError('InvalidJson', 'where parameter is not valid JSON')
  }
  return where as Where
}

function readConditions(parser: QueryParser, schema: ClassSchema, where: Where, depth: number): Condition {
  const { queryDepth } = parser.config.requestComplexity
  if (depth > queryDepth) {
    throw new CountersignError('InvalidQuery', `Conditions can be nested at most ${queryDepth} levels deep.`)
  }
  return all(Object.entries(where).map(([key, value]) => readEntry(parser, schema, key, value, depth)))
}

function readEntry(parser: QueryParser, schema: ClassSchema, key: string, value: WireValue, depth: number): Condition {
  countConditions(parser, 1)
  switch (key) {
    case '$or':
      return any(readAlternatives(parser, schema, key, value, depth))
    case '$and':
      return all(readAlternatives(parser, schema, key, value, depth))
    case '$nor':
      return not(any(readAlternatives(parser, schema, key, value, depth)))
    case '$relatedTo':
      return readRelatedTo(parser, schema, value)
    case 'ACL':
      throw new CountersignError('InvalidQuery', 'Cannot query on ACL.')
  }
  const name = readName(key)
  checkAskable(parser, schema, name[0])
  if (schema.className === '_Session' && key === 'sessionToken') return readToken(value)
  if (schema.relations.has(name[0]) && name.length === 1) return readRelation(parser, schema, key, value)
  return readConstraints(parser, resolvePlace(schema, name), key, value)
}

function readAlternatives(
  parser: QueryParser,
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
    countConditions(parser, 1)
    if (part === null || typeof part !== 'object' || Array.isArray(part)) {
      throw new CountersignError('InvalidQuery', `Bad ${operator} format - each of its entries must be an object.`)
    }
    return readConditions(parser, schema, part as Where, depth + 1)
  })
}

/** Of a session only the hash of its token is kept. */
function readToken(value: WireValue): Condition {
  const constraint = value as { $eq?: WireValue; $in?: WireValue } | null
  const given = typeof value === 'string' ? value : (constraint?.$eq ?? constraint?.$in)
  const tokens = Array.isArray(given) ? given : [given]
  if (tokens.some((token) => typeof token !== 'string')) {
    throw new CountersignError('InvalidQuery', 'A sessionToken can only be compared with a string.')
  }
  const values = tokens.map((token) => ({
    __type: 'Bytes' as const,
    base64: hashToken(token as string).toString('base64'),
  }))
  return { kind: 'equals', place: { field: '_token_hash', type: 'Bytes', path: [] }, values }
}

type Parts = { [key: string]: WireValue }

/**
 * `{ "$relatedTo": { "object": <Pointer>, "key": "likes" } }`: what the relation of an object holds. `where` is what
 * hooks of the owner's class ask of it besides.
 */
function readRelatedTo(parser: QueryParser, schema: ClassSchema, value: WireValue): Condition {
  const { object, key, where = {} } = (value ?? {}) as Parts
  const pointer = (object ?? {}) as Parts
  const isWhole = pointer.__type === 'Pointer' && typeof pointer.className === 'string' && typeof key === 'string'
  const { objectId } = pointer
  // Clients ask for the relation of an object that is not saved yet, which holds nothing.
  const isUnsaved = objectId === undefined || objectId === null
  if (!isWhole || (!isUnsaved && typeof objectId !== 'string')) {
    throw new CountersignError('InvalidQuery', 'improper usage of $relatedTo')
  }
  const [field] = readName(key as string)
  refuseInternal(parser.access, pointer.className as string, 'get')
  const owner = parser.classes.find(pointer.className as string)
  if (!owner) return never
  checkAskable(parser, owner, field)
  const decision = decide(owner, parser.access, 'get')
  if (isUnsaved || owner.relations.get(field) !== schema.className) return never
  const condition = parser.read(parser, owner, where as Parameters<typeof parser.read>[2])
  return { kind: 'relatedTo', owner: { schema: owner, decision, objectId, condition }, field }
}

/** Reads a condition on a relation: its members. */
function readRelation(parser: QueryParser, schema: ClassSchema, field: string, value: WireValue): Condition {
  const { className } = schema
  const target = schema.relations.get(field) ?? ''
  const anything: Condition = { kind: 'relation', className, field }
  const holds = (ids: string[]): Condition => (ids.length === 0 ? never : { kind: 'relation', className, field, ids })
  const equals = (one: WireValue) => (one === null ? not(anything) : holds(idsOf(target, [one])))
  const inQuery = (operator: string, given: WireValue): Condition => {
    const query = readSubquery(parser, operator, given)
    return query?.schema.className === target ? { kind: 'relation', className, field, query } : never
  }
  const [constraints, direct] = splitConstraints(value)
  const conditions = Object.entries(constraints).map(([operator, given]): Condition => {
    switch (operator) {
      case '$eq':
        return equals(given)
      case '$ne':
        return not(equals(given))
      case '$in':
      case '$nin': {
        const list = readList(operator, given)
        const found = any([holds(idsOf(target, list)), ...(list.includes(null) ? [not(anything)] : [])])
        return operator === '$in' ? found : not(found)
      }
      case '$all': {
        const list = readList(operator, given)
        // Each is a question of its own to the database.
        countConditions(parser, list.length)
        return all(list.map((one) => holds(idsOf(target, [one]))))
      }
      case '$exists':
        if (typeof given !== 'boolean') throw new CountersignError('InvalidJson', 'bad $exists value')
        return given ? anything : not(anything)
      case '$inQuery':
        return inQuery(operator, given)
      case '$notInQuery':
        return not(inQuery(operator, given))
    }
    throw new CountersignError('InvalidQuery', `${operator.slice(0, 50)} cannot be used with the relation ${field}.`)
  })
  return all(direct === undefined ? conditions : [...conditions, equals(direct)])
}

/** Pointers to another class are in no such relation. */
function idsOf(target: string, values: WireValue[]): string[] {
  return values.flatMap((value) => {
    const pointer = value as { [key: string]: WireValue } | null
    const isFitting =
      (pointer?.__type === 'Pointer' || pointer?.__type === 'Object') &&
      pointer.className === target &&
      typeof pointer.objectId === 'string'
    return isFitting ? [pointer.objectId as string] : []
  })
}

function readList(operator: string, value: WireValue): WireValue[] {
  if (!Array.isArray(value)) throw new CountersignError('InvalidJson', `bad ${operator} value`)
  return value
}
