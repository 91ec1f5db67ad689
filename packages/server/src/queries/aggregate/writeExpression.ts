import { type Fragment, sql } from '../../db/sql.ts'
import { arithmetic } from './expressions/arithmetic.ts'
import { conversions } from './expressions/conversions.ts'
import { dates } from './expressions/dates.ts'
import { lists } from './expressions/lists.ts'
import { logic } from './expressions/logic.ts'
import { texts } from './expressions/texts.ts'
import type { Operator } from './Operator.ts'
import { resolvePath } from './resolvePath.ts'
import { asJson, invalid, isObject, shown, type Value, writeLiteral } from './Value.ts'
import type { Place } from './Work.ts'

const operators: ReadonlyMap<string, Operator> = new Map([
  ...arithmetic,
  ...texts,
  ...dates,
  ...lists,
  ...logic,
  ...conversions,
])
const deepest = 50

/** An expression of a stage in SQL. */
export function writeExpression(place: Place, expression: unknown): Value {
  const inner = { ...place, depth: place.depth + 1 }
  if (inner.depth > deepest) throw invalid(`Expressions can be nested at most ${deepest} levels deep.`)
  if (typeof expression === 'string' && expression.startsWith('$')) return resolvePath(place, expression)
  if (Array.isArray(expression)) {
    const items = expression.map((item) => asJson(writeExpression(inner, item)))
    return { sql: joinItems(items), type: 'json' }
  }
  if (!isObject(expression) || Object.hasOwn(expression, '__type')) return writeLiteral(expression)
  const [key = ''] = Object.keys(expression)
  if (!key.startsWith('$')) return writeObject(inner, expression)
  if (Object.keys(expression).length > 1) {
    throw invalid(`An expression can have only one operator: ${shown(Object.keys(expression).join(', '))}.`)
  }
  const operator = operators.get(key)
  if (!operator) throw invalid(`Unrecognized expression '${shown(key)}'.`)
  return operator(inner, expression[key], writeExpression)
}

function writeObject(place: Place, fields: Record<string, unknown>): Value {
  const parts = Object.entries(fields).map(([name, expression]) => {
    if (name.startsWith('$')) throw invalid(`An expression can have only one operator: ${shown(name)}.`)
    return sql`jsonb_build_object(${sql.param(name)}::text, ${asJson(writeExpression(place, expression))})`
  })
  return { sql: sql`(${sql.join([sql`'{}'::jsonb`, ...parts], ' || ')})`, type: 'json', isObject: true }
}

/** One element at a time: a function of PostgreSQL takes 100 arguments at most. */
function joinItems(items: Fragment[]): Fragment {
  return sql`(${sql.join([sql`'[]'::jsonb`, ...items.map((item) => sql`jsonb_build_array(${item})`)], ' || ')})`
}
