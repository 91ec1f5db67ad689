import type { WireValue } from '@countersign/protocol'
import type { StoredAcl } from '../classes/acl.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { type Fragment, sql } from '../db/sql.ts'

/** Columns of an object that are not null, and their values in the same order. */
export type Encoded = { fields: string[]; bound: unknown[] }

export function encodeColumns(
  schema: ClassSchema,
  values: ReadonlyMap<string, WireValue>,
  acl: StoredAcl | undefined,
): Encoded {
  const fields: string[] = []
  const bound: unknown[] = []
  const put = (name: string, value: unknown) => {
    fields.push(name)
    bound.push(value)
  }
  let nulls: string[] | undefined
  for (const [name, value] of values) {
    const type = schema.fields.get(name)?.type
    if (value === null) {
      nulls ??= []
      nulls.push(name)
    } else if (type) put(name, columns[type].encode(value))
  }
  if (nulls) put('_nulls', nulls)
  if (acl?._rperm) put('_rperm', acl._rperm)
  if (acl?._wperm) put('_wperm', acl._wperm)
  return { fields, bound }
}

const texts = sql`text[]`

/** Type of a column in SQL, also of those that every class has for nulls and access lists. */
export function columnType(schema: ClassSchema, name: string): Fragment {
  const field = schema.fields.get(name)
  return field ? columns[field.type].type : texts
}

/** Pieces of an insert that are the same for every object with these columns. */
export type InsertShape = {
  /** Equal for inserts into the same columns of the same class. */
  readonly key: string
  /** Names of the columns, after those of the times and the id. */
  readonly names: Fragment
  /** Texts around the values of a row: both times, the id, and those of the columns. */
  readonly row: readonly string[]
}

/** Callers choose the shapes: so many a class are kept, of so many columns. */
const mostShapes = 50
const mostColumns = 100

/** A schema is never changed, so what follows from it is written once. */
const shapesBySchema = new WeakMap<ClassSchema, Map<string, InsertShape>>()

export function insertShape(schema: ClassSchema, fields: readonly string[]): InsertShape {
  const key = `${schema.className} ${fields.join(' ')}`
  const shapes = shapesBySchema.get(schema) ?? new Map<string, InsertShape>()
  const known = shapes.get(key)
  if (known) return known
  const names = sql.flat(sql.join([sql`"createdAt", "updatedAt", "objectId"`, ...fields.map((name) => sql.id(name))]))
  // With its type: a statement that was prepared for a text must not be used once the field is a number.
  const casts = fields.map((name) => `::${sql.flat(columnType(schema, name)).texts[0]}`)
  const row = ['(', ', ', ', ', ...['', ...casts].map((cast, index) => `${cast}${index < casts.length ? ', ' : ')'}`)]
  const shape = { key, names, row }
  if (fields.length > mostColumns) return shape
  if (shapes.size >= mostShapes) shapes.clear()
  shapes.set(key, shape)
  shapesBySchema.set(schema, shapes)
  return shape
}
