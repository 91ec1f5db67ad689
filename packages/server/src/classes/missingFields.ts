import { CountersignError } from '@countersign/protocol'
import { type ClassSchema, describeType, type FieldType } from './ClassSchema.ts'
import { defaultFieldNames } from './fieldNames.ts'

/** What a write asks of its class: columns by field, and relations by field with the class that they lead to. */
export type WantedFields = {
  fields: ReadonlyMap<string, FieldType>
  relations: ReadonlyMap<string, string>
}

export type MissingFields = { fields: [string, FieldType][]; relations: [string, string][] }

/** What the class lacks of it. Refuses a type that differs from the field's own. */
export function missingFields(schema: ClassSchema, wanted: WantedFields): MissingFields {
  const missing: MissingFields = { fields: [], relations: [] }
  for (const [name, field] of wanted.fields) {
    const present = typeIn(schema, name)
    if (present === undefined) missing.fields.push([name, field])
    else if (present !== describeType(field)) refuse(schema, name, present, describeType(field))
  }
  for (const [name, targetClass] of wanted.relations) {
    const present = typeIn(schema, name)
    if (present === undefined) missing.relations.push([name, targetClass])
    else if (present !== `Relation<${targetClass}>`) refuse(schema, name, present, `Relation<${targetClass}>`)
  }
  checkGeoPoints(schema, missing)
  return missing
}

export function lacksNothing(missing: MissingFields): boolean {
  return missing.fields.length === 0 && missing.relations.length === 0
}

function typeIn(schema: ClassSchema, name: string): string | undefined {
  if (defaultFieldNames.has(name)) {
    throw new CountersignError('InvalidKeyName', `${name} is an invalid field name.`)
  }
  const field = schema.fields.get(name)
  if (field) return describeType(field)
  const relation = schema.relations.get(name)
  return relation === undefined ? undefined : `Relation<${relation}>`
}

function refuse({ className }: ClassSchema, name: string, present: string, wanted: string): never {
  throw new CountersignError(
    'IncorrectType',
    `schema mismatch for ${className}.${name}; expected ${present} but got ${wanted}`,
  )
}

/** As in parse-server: `$near` could not tell which of two was meant. */
function checkGeoPoints(schema: ClassSchema, { fields }: MissingFields): void {
  const added = fields.filter(([, { type }]) => type === 'GeoPoint').map(([name]) => name)
  if (added.length === 0) return
  const present = [...schema.fields].filter(([, { type }]) => type === 'GeoPoint').map(([name]) => name)
  const [first, second] = [...present, ...added]
  if (second === undefined) return
  throw new CountersignError(
    'IncorrectType',
    `currently, only one GeoPoint field may exist in an object. Adding ${second} when ${first} already exists.`,
  )
}
