import { asJson } from './convert.ts'
import { arithmetic } from './expressions/arithmetic.ts'
import { conversions } from './expressions/conversions.ts'
import { dates } from './expressions/dates.ts'
import { lists } from './expressions/lists.ts'
import { logic } from './expressions/logic.ts'
import { texts } from './expressions/texts.ts'
import { invalid, isObject, shown } from './invalid.ts'
import { resolvePath } from './resolvePath.ts'
import type { Value } from './Value.ts'
import type { Place } from './Work.ts'
import { writeLiteral } from './writeLiteral.ts'

/** Writes the arguments of an operator: inner expressions go back through `write`. */
export type Operator = (place: Place, argument: unknown, write: Write) => Value
export type Write = (place: Place, expression: unknown) => Value

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
  if (inner.depth > deepest) throw invalid(`Expressions may be nested ${deepest} deep at most.`)
  if (typeof expression === 'string' && expression.startsWith('$')) return resolvePath(place, expression)
  const { bindings } = place.work
  if (Array.isArray(expression)) {
    const items = expression.map((item) => asJson(bindings, writeExpression(inner, item)))
    return { sql: joinItems(items), type: 'json' }
  }
  if (!isObject(expression) || Object.hasOwn(expression, '__type')) return writeLiteral(bindings, expression)
  const [key = ''] = Object.keys(expression)
  if (!key.startsWith('$')) return writeObject(inner, expression)
  if (Object.keys(expression).length > 1) {
    throw invalid(`An expression may have one operator only: ${shown(Object.keys(expression).join(', '))}.`)
  }
  const operator = operators.get(key)
  if (!operator) throw invalid(`Unrecognized expression '${shown(key)}'.`)
  return operator(inner, expression[key], writeExpression)
}

function writeObject(place: Place, fields: Record<string, unknown>): Value {
  const { bindings } = place.work
  const parts = Object.entries(fields).map(([name, expression]) => {
    if (name.startsWith('$')) throw invalid(`An expression may have one operator only: ${shown(name)}.`)
    return `jsonb_build_object(${bindings.bind(name)}::text, ${asJson(bindings, writeExpression(place, expression))})`
  })
  return { sql: `(${[`'{}'::jsonb`, ...parts].join(' || ')})`, type: 'json', isObject: true }
}

/** One element at a time: a function of PostgreSQL takes 100 arguments at most. */
function joinItems(items: string[]): string {
  return `(${[`'[]'::jsonb`, ...items.map((item) => `jsonb_build_array(${item})`)].join(' || ')})`
}
