import type { FieldRecord, SchemaRecord } from '@countersign/protocol'
import { isShownField } from './encodeSchema.ts'

/** Fields that are always set, even if the creator does not send them. */
const alwaysSet = new Map([
  ['_User', ['username']],
  ['_Role', ['name']],
  ['_Session', ['user', 'expiresAt', 'createdWith']],
])

/**
 * TypeScript for clients: an interface for each class, and the table by which queries and hooks know their fields;
 * beside it that of the functions, where their entries are given.
 */
export function writeTypes(schemas: SchemaRecord[], functions: string[] = []): string {
  const sorted = [...schemas].sort((one, other) => (one.className < other.className ? -1 : 1))
  // The suffix keeps a class called Date or Record from hiding what the fields are made of.
  const entries = sorted.map(({ className }) => `      ${className}: ${className}Fields`)
  return `// Written by \`countersign types\`. Do not edit; run it again after the schema has changed.
import type * as _countersign from '@countersign/react'

${sorted.map(writeInterface).join('\n')}
declare module '@countersign/react' {
  interface Register {
    classes: {
${entries.join('\n')}
    }
${functions.length === 0 ? '' : `    functions: {\n${functions.map((entry) => `      ${entry}\n`).join('')}    }\n`}  }
}
`
}

function writeInterface({ className, fields }: SchemaRecord): string {
  const names = Object.keys(fields)
    .filter((name) => !isShownField(className, name))
    .sort()
  const lines = names.map((name) => {
    const field = fields[name] as FieldRecord
    // A field with a default may be left out of a new object.
    const isSet = (field.required && field.defaultValue === undefined) || alwaysSet.get(className)?.includes(name)
    return `  ${name}${isSet || field.type === 'Relation' ? '' : '?'}: ${typeOf(field)}\n`
  })
  return `export interface ${className}Fields {\n${lines.join('')}}\n`
}

function typeOf({ type, targetClass }: FieldRecord): string {
  switch (type) {
    case 'String':
      return 'string'
    case 'Number':
      return 'number'
    case 'Boolean':
      return 'boolean'
    case 'Date':
      return 'Date'
    case 'Array':
      return 'unknown[]'
    case 'Object':
      return 'Record<string, unknown>'
    case 'Pointer':
    case 'Relation':
      return `_countersign.${type}<'${targetClass}'>`
    case 'File':
      return '_countersign.StoredFile'
    default:
      return `_countersign.${type}`
  }
}
