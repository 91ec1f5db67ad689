import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { asDate, asId, asJson, asNumber, asText, invalid, missing, shown, type Value } from './Value.ts'
import type { Place } from './Work.ts'

const oldNames = new Map([
  ['_id', 'objectId'],
  ['_created_at', 'createdAt'],
  ['_updated_at', 'updatedAt'],
])

/** The field that a name of MongoDB's stands for. */
export function fieldOf(name: string): string {
  return oldNames.get(name) ?? name
}

/** Resolves `$field`, `$field.inside`, `$_p_pointer` or `$$variable`. */
export function resolvePath({ work: { now }, scope }: Place, path: string): Value {
  if (!path.startsWith('$$')) return lookUp(scope, path.slice(1))
  const [name = '', ...rest] = path.slice(2).split('.')
  if (name === 'NOW') return { sql: sql`${sql.param(now)}::timestamptz`, type: 'date' }
  if (name === 'ROOT' || name === 'CURRENT') {
    return rest.length > 0 ? lookUp(scope, rest.join('.')) : whole(scope)
  }
  const variable = scope.variables.get(name)
  if (!variable) throw invalid(`The variable $$${shown(name)} is not defined.`)
  return rest.length === 0 ? variable : inside(variable, rest)
}

type Scope = Place['scope']

/** The value of a field, given as `name` or `name.inside`. */
export function lookUp(scope: Scope, path: string): Value {
  const [name = '', ...rest] = path.split('.')
  if (name === '' || rest.includes('')) throw invalid(`A field path must not have an empty part: ${shown(path)}.`)
  const column = scope.columns.get(fieldOf(name)) ?? pointerText(scope, name)
  if (column) return rest.length === 0 ? column : inside(column, rest)
  return scope.rest ? inside(scope.rest, [name, ...rest]) : missing
}

/** `_p_owner` is how MongoDB would hold the pointer: `Class$id`. */
function pointerText(scope: Scope, name: string): Value | undefined {
  const pointer = name.startsWith('_p_') ? scope.columns.get(name.slice(3)) : undefined
  if (pointer?.type !== 'pointer') return undefined
  const prefix = sql.param(`${pointer.targetClass}$`)
  return { sql: sql`(${prefix}::text || ${pointer.sql})`, type: 'text', pointer, optional: true }
}

function inside(value: Value, path: string[]): Value {
  if (value.type === 'pointer') {
    if (path[0] === 'objectId' && path.length === 1) return { sql: value.sql, type: 'text', optional: true }
    return missing
  }
  if (value.type !== 'json') return missing
  if (value.document && value.isObject) return insideDocument(value, value.document, path)
  const keys = value.document ? [fieldOf(path[0] ?? ''), ...path.slice(1)] : path
  const place = sql`${sql.param(keys)}::text[]`
  const one = sql`nullif(${value.sql} #> ${place}, 'null')`
  if (value.isObject || /^\d+$/.test(path[0] ?? '')) return { sql: one, type: 'json', optional: true }
  // Of a list of objects: the list of what stands there in each.
  const each = sql`(
    select coalesce(jsonb_agg(e #> ${place}) filter (where e #> ${place} is not null), '[]')
    from jsonb_array_elements(${value.sql}) e
  )`
  return {
    sql: sql`case when jsonb_typeof(${value.sql}) = 'array' then ${each} else ${one} end`,
    type: 'json',
    optional: true,
  }
}

/** Inside an object of a known class, fields have the class's types. */
function insideDocument(value: Value, schema: ClassSchema, [name = '', ...rest]: string[]): Value {
  const pointerName = name.startsWith('_p_') ? name.slice(3) : undefined
  const field = pointerName ?? fieldOf(name)
  const found: Value = {
    sql: sql`nullif(${value.sql} -> ${sql.param(field)}::text, 'null')`,
    type: 'json',
    optional: true,
  }
  if (field === 'objectId') return rest.length === 0 ? { sql: asText(found), type: 'text', optional: true } : missing
  const type = field === 'createdAt' || field === 'updatedAt' ? 'Date' : schema.fields.get(field)?.type
  const as = (piece: Fragment, valueType: Value['type']): Value => ({ sql: piece, type: valueType, optional: true })
  if (type === 'Number') return as(asNumber(found), 'number')
  if (type === 'String') return as(asText(found), 'text')
  if (type === 'Date') return as(asDate(found), 'date')
  if (type === 'Pointer') {
    const targetClass = schema.fields.get(field)?.targetClass ?? ''
    const pointer: Value = { ...as(asId(found), 'pointer'), targetClass }
    if (!pointerName) return rest.length > 0 ? inside(pointer, rest) : pointer
    return {
      sql: sql`(${sql.param(`${targetClass}$`)}::text || ${pointer.sql})`,
      type: 'text',
      pointer,
      optional: true,
    }
  }
  const isObject = type === 'Object' || type === 'File'
  return rest.length > 0 ? inside({ ...found, isObject }, rest) : found
}

/** All of the row as one object. */
export function whole(scope: Scope): Value {
  const { columns, rest } = scope
  const parts = [...columns].map(([name, value]) => documentPart(name, value))
  if (rest) parts.unshift(sql`coalesce(${rest.sql}, '{}')`)
  parts.push(sql`'{}'::jsonb`)
  return { sql: sql`(${sql.join(parts, ' || ')})`, type: 'json', isObject: true }
}

/** One field of an object; nothing where it is missing. */
function documentPart(name: string, value: Value): Fragment {
  const key = sql`${sql.param(name)}::text`
  // As on the wire: these two are bare.
  const bare = value.type === 'date' && (name === 'createdAt' || name === 'updatedAt')
  const json = bare ? sql`to_jsonb(${asText(value)})` : asJson(value)
  return sql`case when ${value.sql} is null then '{}'::jsonb else jsonb_build_object(${key}, ${json}) end`
}
