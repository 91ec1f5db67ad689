import { CountersignError, type WireFields, type WirePolygon, type WireValue } from '@countersign/protocol'
import type { Change } from '../classes/Change.ts'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import { closePolygon } from '../classes/columns.ts'

type Ruled = [name: string, field: FieldType][]

/** A schema is never changed, so what follows from it is worked out once. */
const ruledFieldsBySchema = new WeakMap<ClassSchema, Ruled>()

/** Fills defaults into a new object, and returns them; rejects one without a required field (142). */
export function fillFields(schema: ClassSchema, values: Map<string, WireValue>): WireFields {
  const filled: WireFields = {}
  for (const [name, { required, defaultValue }] of ruledFields(schema)) {
    const value = values.get(name)
    if (value === undefined && defaultValue !== undefined && defaultValue !== null) {
      values.set(name, defaultValue)
      filled[name] = asRead(defaultValue)
    } else if (required && (value === undefined || value === null || value === '')) refuse(name)
  }
  return filled
}

/** As the object reads back. */
function asRead(value: WireValue): WireValue {
  const isPolygon = typeof value === 'object' && Reflect.get(Object(value), '__type') === 'Polygon'
  if (!isPolygon) return value
  const polygon = value as WirePolygon
  return { ...polygon, coordinates: closePolygon(polygon.coordinates) }
}

/** A change must not take away what is required. */
export function keepRequired(schema: ClassSchema, changes: Change[]): void {
  const fields = ruledFields(schema)
  if (fields.length === 0) return
  for (const change of changes) {
    if (change.path.length > 0 || !schema.fields.get(change.field)?.required) continue
    if (change.kind === 'delete' || (change.kind === 'set' && (change.value === null || change.value === ''))) {
      refuse(change.field)
    }
  }
}

function refuse(name: string): never {
  throw new CountersignError('ValidationError', `${name} is required`)
}

function ruledFields(schema: ClassSchema): Ruled {
  const known = ruledFieldsBySchema.get(schema)
  if (known) return known
  const found = [...schema.fields].filter(([, field]) => field.required || field.defaultValue !== undefined)
  ruledFieldsBySchema.set(schema, found)
  return found
}
