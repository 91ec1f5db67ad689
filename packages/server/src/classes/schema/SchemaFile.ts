import type { ClassPermissions, SchemaRecord, WireValue } from '@countersign/protocol'
import type { FieldTypeName } from '../ClassSchema.ts'
import { isSystemClass } from '../names.ts'
import { isSystemField } from '../systemFields.ts'
import { isShownField } from './encodeSchema.ts'

type PlainType = Exclude<FieldTypeName, 'Pointer'>

/** A field: the name of its type, or with options; pointers and relations name the class that they lead to. */
export type FieldDefinition =
  | PlainType
  | { type: PlainType; required?: boolean; defaultValue?: WireValue }
  | { type: 'Pointer'; targetClass: string; required?: boolean; defaultValue?: WireValue }
  | { type: 'Relation'; targetClass: string }

/** Fields with their direction, or `text` for full-text search. `unique: true` beside them keeps values apart. */
export type IndexDefinition = { [field: string]: 1 | -1 | 'text' | boolean }

/** Wanted state of a class. Omitted permissions or indexes stay unchanged. */
export type ClassDefinition = {
  fields?: { [name: string]: FieldDefinition }
  classLevelPermissions?: ClassPermissions
  indexes?: { [name: string]: IndexDefinition }
}

/** Every class of the application by its name. */
export type SchemaFile = { [className: string]: ClassDefinition }

/**
 * Types the schema file, which `countersign schema apply` brings the database to.
 *
 * @example
 * import { defineSchema } from 'countersign'
 * export default defineSchema({
 *   Game: {
 *     fields: { title: { type: 'String', required: true }, owner: { type: 'Pointer', targetClass: '_User' } },
 *     indexes: { byTitle: { title: 1, unique: true } },
 *   },
 * })
 */
export function defineSchema(schema: SchemaFile): SchemaFile {
  return schema
}

/** Writes a schema file of the current classes. System parts are left out. */
export function writeSchemaFile(schemas: SchemaRecord[]): string {
  return writeDefinitions(toSchemaFile(schemas))
}

/** Writes the current classes as a schema file. */
export function toSchemaFile(schemas: SchemaRecord[]): SchemaFile {
  const sorted = [...schemas].sort((one, other) => (one.className < other.className ? -1 : 1))
  const classes = sorted.flatMap((schema): [string, ClassDefinition][] => {
    const definition = toDefinition(schema)
    const plain = isSystemClass(schema.className) && Object.keys(definition.fields ?? {}).length === 0
    return plain && !definition.classLevelPermissions && !definition.indexes ? [] : [[schema.className, definition]]
  })
  return Object.fromEntries(classes)
}

/** The text of a schema file. */
export function writeDefinitions(classes: SchemaFile): string {
  return `import { defineSchema } from 'countersign'

export default defineSchema(${toSource(classes)})
`
}

function toDefinition({ className, fields, classLevelPermissions, indexes }: SchemaRecord): ClassDefinition {
  const own = Object.entries(fields).filter(
    ([name]) => !isShownField(className, name) && !isSystemField(className, name),
  )
  const open = Object.entries(classLevelPermissions).every(
    ([key, value]) => JSON.stringify(value) === (key === 'protectedFields' ? '{"*":[]}' : '{"*":true}'),
  )
  return {
    fields: Object.fromEntries(own.sort(byName).map(([name, field]) => [name, shorten(field as FieldDefinition)])),
    ...(!open && { classLevelPermissions }),
    ...(indexes && { indexes: indexes as { [name: string]: IndexDefinition } }),
  }
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}

function shorten(field: FieldDefinition): FieldDefinition {
  return typeof field === 'object' && Object.keys(field).length === 1 ? (field.type as FieldDefinition) : field
}

/** JSON as a person would write it in TypeScript. */
function toSource(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_][A-Za-z0-9_]*)":/gm, '$1$2:')
}
