import { asJson } from '../convert.ts'
import { emit } from '../emit.ts'
import { invalid, isObject, shown } from '../invalid.ts'
import { fieldOf, lookUp } from '../resolvePath.ts'
import type { Value } from '../Value.ts'
import type { Place, Rows, Work } from '../Work.ts'
import { writeExpression } from '../writeExpression.ts'

/** `$project`: the named fields and computed ones, or all but the named. */
export function project(work: Work, rows: Rows, argument: unknown): Rows {
  if (!isObject(argument) || Object.keys(argument).length === 0)
    throw invalid('$project must be an object with fields.')
  const { scope } = rows
  const entries = Object.entries(argument).map(([name, value]) => [name === '_id' ? 'objectId' : name, value] as const)
  const others = entries.filter(([name]) => name !== 'objectId')
  const excluding =
    others.length > 0 ? others.every(([, value]) => isOff(value)) : entries.every(([, value]) => isOff(value))
  if (excluding && entries.every(([, value]) => isOff(value)))
    return exclude(
      work,
      rows,
      entries.map(([name]) => name),
    )
  const mixed = others.find(([, value]) => isOff(value))
  if (mixed) throw invalid(`$project cannot leave out ${shown(mixed[0])} while it names others to keep.`)
  const place = { work, scope, depth: 0 }
  const columns = new Map<string, Value>()
  const id = entries.find(([name]) => name === 'objectId')
  if (!id || isOn(id[1])) columns.set('objectId', lookUp(work.bindings, scope, 'objectId'))
  else if (!isOff(id[1])) columns.set('objectId', writeExpression(place, id[1]))
  const inner = new Map<string, [string[], unknown][]>()
  for (const [name, value] of others) {
    const [head = '', ...path] = name.split('.')
    checkPath(name)
    if (path.length > 0) inner.set(head, [...(inner.get(head) ?? []), [path, value]])
    else columns.set(fieldOf(head), isOn(value) ? lookUp(work.bindings, scope, head) : writeExpression(place, value))
  }
  for (const [head, parts] of inner) columns.set(head, nest(place, head, parts))
  return emit(work, {
    columns: withoutMissingId(columns),
    body: `from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: scope.variables,
  })
}

/** `$unset`, and a `$project` that only leaves out. */
export function exclude(work: Work, rows: Rows, names: string[]): Rows {
  const columns = new Map(rows.scope.columns)
  let { rest } = rows.scope
  for (const name of names) {
    checkPath(name)
    const [head = '', ...path] = name.split('.')
    const field = fieldOf(head)
    const column = columns.get(field)
    if (column && path.length === 0) columns.delete(field)
    else if (column?.type === 'json') {
      columns.set(field, { ...column, sql: `(${column.sql} #- ${work.bindings.bind(path)}::text[])` })
    } else if (rest) rest = { ...rest, sql: `(${rest.sql} #- ${work.bindings.bind([field, ...path])}::text[])` }
  }
  return emit(work, {
    columns,
    ...(rest && { rest }),
    body: `from ${rows.table}`,
    ...(rows.order && { order: rows.order }),
    variables: rows.scope.variables,
  })
}

/** `a.b` and `a.c` come back as one object `a`. */
function nest(place: Place, head: string, parts: [string[], unknown][]): Value {
  const { bindings } = place.work
  const pieces = parts.map(([path, expression]) => {
    const value = isOn(expression)
      ? lookUp(bindings, place.scope, [head, ...path].join('.'))
      : writeExpression(place, expression)
    const built = path.reduceRight(
      (sql, key) => `jsonb_build_object(${bindings.bind(key)}::text, ${sql})`,
      asJson(bindings, value),
    )
    return value.optional ? `case when ${value.sql} is null then '{}'::jsonb else ${built} end` : built
  })
  return { sql: `(${pieces.join(' || ')})`, type: 'json', isObject: true }
}

function withoutMissingId(columns: Map<string, Value>): Map<string, Value> {
  if (columns.get('objectId')?.sql === 'null::jsonb') columns.delete('objectId')
  return columns
}

function checkPath(name: string): void {
  if (name.split('.').some((part) => part === '' || part.startsWith('$'))) {
    throw invalid(`${shown(name)} cannot be the name of a field: no part may be empty or start with $.`)
  }
}

const isOff = (value: unknown) => value === 0 || value === false
const isOn = (value: unknown) => value === true || (typeof value === 'number' && value !== 0)
