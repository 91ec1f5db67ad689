import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Condition } from './Condition.ts'
import { all, any, never, not } from './conditions.ts'
import { countConditions, type Reading } from './Reading.ts'
import { splitConstraints } from './readConstraints.ts'
import { readSubquery } from './readSubquery.ts'

/** What can be asked of a relation: whom it holds. */
export function readRelation(reading: Reading, schema: ClassSchema, field: string, value: WireValue): Condition {
  const { className } = schema
  const target = schema.relations.get(field) ?? ''
  const anything: Condition = { kind: 'relation', className, field }
  const holds = (ids: string[]): Condition => (ids.length === 0 ? never : { kind: 'relation', className, field, ids })
  const equals = (one: WireValue) => (one === null ? not(anything) : holds(idsOf(target, [one])))
  const inQuery = (operator: string, given: WireValue): Condition => {
    const query = readSubquery(reading, operator, given)
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
        countConditions(reading, list.length)
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
    throw new CountersignError('InvalidQuery', `${operator.slice(0, 50)} cannot be asked of the relation ${field}.`)
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
