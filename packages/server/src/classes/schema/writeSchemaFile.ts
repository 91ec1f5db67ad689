import type { SchemaRecord } from '@countersign/protocol'
import { isSystemClass } from '../classNames.ts'
import { isSystemField } from '../systemFields.ts'
import { isShownField } from './encodeSchema.ts'
import type { ClassDefinition, FieldDefinition, IndexDefinition } from './SchemaFile.ts'

/** A schema file that says what the classes are now. What every server has of itself is left out. */
export function writeSchemaFile(schemas: SchemaRecord[]): string {
  const sorted = [...schemas].sort((one, other) => (one.className < other.className ? -1 : 1))
  const classes = sorted.flatMap((schema): [string, ClassDefinition][] => {
    const definition = toDefinition(schema)
    const plain = isSystemClass(schema.className) && Object.keys(definition.fields ?? {}).length === 0
    return plain && !definition.classLevelPermissions && !definition.indexes ? [] : [[schema.className, definition]]
  })
  return `import { defineSchema } from 'countersign'

export default defineSchema(${toSource(Object.fromEntries(classes))})
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
