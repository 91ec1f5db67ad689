import { CountersignError, type WireValue } from '@countersign/protocol'
import { refuseOlderName } from '../classes/olderClasses.ts'
import { decide, refuseInternal } from '../permissions/decide.ts'
import { all, type Subquery } from './Condition.ts'
import type { QueryParser, Where } from './QueryParser.ts'
import { unexpired } from './unexpired.ts'

type Parts = { [key: string]: WireValue }

/** Members that clients' query objects carry; they do not change the result. */
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
export function readSubquery(
  parser: QueryParser,
  operator: string,
  value: WireValue | undefined,
): Subquery | undefined {
  const given = value as Parts | null | undefined
  const { className, where = {} } = given ?? {}
  const isWhole = typeof className === 'string' && className !== '' && isObject(where)
  if (!given || !isObject(given) || !isWhole) refuse(operator)
  const others = Object.keys(given).filter((key) => key !== 'className' && key !== 'where' && !ignored.has(key))
  if (others.some((key) => key !== 'redirectClassNameForKey')) refuse(operator)
  const { subqueryDepth } = parser.config.requestComplexity
  if (++parser.subqueries > subqueryDepth) {
    throw new CountersignError('InvalidQuery', `Subqueries can be nested at most ${subqueryDepth} levels deep.`)
  }
  if (parser.access.scope) refuseInternal(parser.access, className, 'find')
  const target = redirect(parser, className, given.redirectClassNameForKey)
  refuseInternal(parser.access, target, 'find')
  const schema = parser.classes.find(target)
  if (!schema) {
    refuseOlderName(parser.config, target)
    return undefined
  }
  const decision = decide(schema, parser.access, 'find')
  const condition = parser.read(parser, schema, where as Where)
  parser.subqueries--
  return { schema, decision, condition: all([condition, unexpired(schema, parser.now)]) }
}

function redirect({ classes }: QueryParser, className: string, key: WireValue | undefined): string {
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
