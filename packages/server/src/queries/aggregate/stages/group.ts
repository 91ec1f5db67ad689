import { accumulators } from '../accumulators.ts'
import { emit } from '../emit.ts'
import { invalid, isObject, shown } from '../invalid.ts'
import type { Value } from '../Value.ts'
import type { Rows, Work } from '../Work.ts'
import { writeExpression } from '../writeExpression.ts'

export function group(work: Work, rows: Rows, argument: unknown): Rows {
  if (!isObject(argument)) throw invalid('$group must be an object.')
  if (!Object.hasOwn(argument, '_id')) throw invalid('Invalid parameter for query: group. Missing key _id')
  if (Object.hasOwn(argument, 'objectId')) {
    throw invalid('Cannot use objectId in aggregation: the key of a $group is called _id.')
  }
  const place = { work, scope: rows.scope, depth: 0 }
  const key = groupKey(writeExpression(place, argument._id))
  const columns: [string, Value][] = [['objectId', key]]
  for (const [name, accumulator] of Object.entries(argument)) {
    if (name === '_id') continue
    checkName(name)
    const [operator = '', ...more] = isObject(accumulator) ? Object.keys(accumulator) : []
    const write = accumulators.get(operator)
    if (!write || more.length > 0) {
      throw invalid(
        `The field ${shown(name)} of $group must be one accumulator: ${[...accumulators.keys()].join(', ')}.`,
      )
    }
    columns.push([name, write(place, rows.order, (accumulator as Record<string, unknown>)[operator])])
  }
  // Without a key everything is one group, but no rows make no group.
  const grouping = isConstant(argument._id) ? 'having count(*) > 0' : 'group by 1'
  return emit(work, { columns, body: `from ${rows.table} ${grouping}`, variables: rows.scope.variables })
}

/** Objects are grouped by what a pointer leads to; clients expect the bare id. */
function groupKey(key: Value): Value {
  const value = key.type === 'pointer' ? { sql: key.sql, type: 'text' as const } : key
  const { optional, ...kept } = value as Value
  return kept
}

function isConstant(expression: unknown): boolean {
  return expression === null || (typeof expression !== 'object' && !String(expression).startsWith('$'))
}

export function checkName(name: string): void {
  if (name === '' || name.startsWith('$') || name.includes('.')) {
    throw invalid(
      `${shown(name)} cannot be the name of a computed field: it may not be empty, start with $ or have a dot.`,
    )
  }
}
