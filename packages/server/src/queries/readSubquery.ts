import { CountersignError, type WireValue } from '@countersign/protocol'
import { decide } from '../permissions/decide.ts'
import { refuseInternal } from '../permissions/refuseInternal.ts'
import type { Subquery } from './Condition.ts'
import { all } from './conditions.ts'
import { liveSessions } from './liveSessions.ts'
import type { Reading, Where } from './Reading.ts'

type Parts = { [key: string]: WireValue }

/** What the clients' own query objects carry along; none of it changes which objects are meant. */
const ignored = new Set([
  'limit',
  'skip',
  'order',
  'keys',
  'excludeKeys',
  'include',
  'includeAll',
  'count',
  'readPreference',
  'includeReadPreference',
  'subqueryReadPreference',
  'hint',
  'comment',
])

/** A query within a query, carried out with the caller's own rights. `undefined` where its class is not known. */
export function readSubquery(reading: Reading, operator: string, value: WireValue | undefined): Subquery | undefined {
  const given = value as Parts | null | undefined
  const { className, where = {} } = given ?? {}
  const isWhole = typeof className === 'string' && className !== '' && isObject(where)
  if (!given || !isObject(given) || !isWhole) refuse(operator)
  const others = Object.keys(given).filter((key) => key !== 'className' && key !== 'where' && !ignored.has(key))
  if (others.some((key) => key !== 'redirectClassNameForKey')) refuse(operator)
  const { subqueryDepth } = reading.config.requestComplexity
  if (++reading.subqueries > subqueryDepth) {
    throw new CountersignError('InvalidQuery', `Subqueries may be nested ${subqueryDepth} levels deep at most.`)
  }
  const target = redirect(reading, className, given.redirectClassNameForKey)
  refuseInternal(reading.access, target, 'find')
  const schema = reading.classes.find(target)
  if (!schema) return undefined
  const decision = decide(schema, reading.access, 'find')
  const condition = reading.read(reading, schema, where as Where)
  reading.subqueries--
  return { schema, decision, condition: all([condition, liveSessions(schema, reading.now)]) }
}

function redirect({ classes }: Reading, className: string, key: WireValue | undefined): string {
  if (typeof key !== 'string') return className
  const schema = classes.find(className)
  return schema?.relations.get(key) ?? schema?.fields.get(key)?.targetClass ?? className
}

function isObject(value: WireValue): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function refuse(operator: string): never {
  throw new CountersignError('InvalidQuery', `improper usage of ${operator}`)
}
