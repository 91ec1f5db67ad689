import { type ClassPermissions, CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../ClassSchema.ts'
import type { ClassStep } from '../ClassStep.ts'
import { missingFields } from '../missingFields.ts'
import { isSystemField, startOf } from '../systemFields.ts'
import { fieldsOf } from './encodeSchema.ts'
import { planFields } from './planFields.ts'
import { planIndexes } from './planIndexes.ts'
import { readPermissions } from './readPermissions.ts'

/** What the schema API may be asked for a class. */
export type SchemaInput = {
  fields?: WireValue | undefined
  classLevelPermissions?: WireValue | undefined
  indexes?: WireValue | undefined
}

export type PlanOptions = {
  /** What the id of a user looks like. */
  userId: RegExp
}

/** The steps that make of a class what is asked. Without a class, those that make it come first. */
export function planSchema(
  className: string,
  current: ClassSchema | undefined,
  input: SchemaInput,
  { userId }: PlanOptions,
): ClassStep[] {
  const start = current ? [] : startOf(className)
  const base = current ?? evolve(emptyClass(className), start)
  const fieldSteps = planFields(base, !current || current.dropped === true, readRecord('fields', input.fields))
  checkGeoPoints(base, fieldSteps)
  const after = evolve(base, fieldSteps)
  const permissions: ClassStep[] =
    input.classLevelPermissions === undefined || input.classLevelPermissions === null
      ? []
      : [
          {
            kind: 'setPermissions',
            permissions: keepProtected(current, readPermissions(fieldsOf(after), userId, input.classLevelPermissions)),
          },
        ]
  const indexes = planIndexes(after, fieldsOf(after), readRecord('indexes', input.indexes))
  const shown: ClassStep[] = current?.dropped ? [{ kind: 'markDropped', dropped: false }] : []
  return [...start, ...shown, ...fieldSteps, ...permissions, ...indexes]
}

/** What was hidden stays hidden until `protectedFields` says otherwise: leaving it out shows nothing to anybody. */
export function keepProtected(current: ClassSchema | undefined, wanted: ClassPermissions): ClassPermissions {
  const protectedFields = current?.permissions?.protectedFields
  return protectedFields && !Object.hasOwn(wanted, 'protectedFields') ? { ...wanted, protectedFields } : wanted
}

/** What a class without anything is, before it is made. */
function emptyClass(className: string): ClassSchema {
  return { className, fields: new Map(), relations: new Map(), indexes: new Map(), version: 0 }
}

/** What a class is after steps that concern its fields. */
export function evolve(schema: ClassSchema, steps: ClassStep[]): ClassSchema {
  const [fields, relations, indexes] = [new Map(schema.fields), new Map(schema.relations), new Map(schema.indexes)]
  for (const step of steps) {
    if (step.kind === 'addField' || step.kind === 'changeField') fields.set(step.name, step.field)
    if (step.kind === 'addRelation') relations.set(step.name, step.targetClass)
    if (step.kind === 'dropRelation') relations.delete(step.name)
    if (step.kind === 'dropIndex') indexes.delete(step.name)
    if (step.kind !== 'dropField') continue
    fields.delete(step.name)
    for (const [name, index] of indexes) if (index.fields.has(step.name)) indexes.delete(name)
  }
  return { ...schema, fields, relations, indexes }
}

function checkGeoPoints(base: ClassSchema, steps: ClassStep[]): void {
  const added = steps.flatMap((step) => (step.kind === 'addField' ? [[step.name, step.field] as const] : []))
  const kept = evolve(
    base,
    steps.filter(({ kind }) => kind === 'dropField'),
  )
  missingFields(kept, { fields: new Map(added), relations: new Map() })
}

function readRecord(name: string, value: WireValue | undefined): WireFields {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new CountersignError('InvalidJson', `${name} of a schema must be an object.`)
  }
  return value as WireFields
}

/** The steps that leave of a class only what the server needs of it. */
export function planReset(current: ClassSchema): ClassStep[] {
  const { className } = current
  const isFree = (name: string) => !isSystemField(className, name)
  return [
    ...[...current.indexes.keys()].map((name): ClassStep => ({ kind: 'dropIndex', name })),
    ...[...current.fields.keys()].filter(isFree).map((name): ClassStep => ({ kind: 'dropField', name })),
    ...[...current.relations.keys()].filter(isFree).map((name): ClassStep => ({ kind: 'dropRelation', name })),
    { kind: 'setPermissions', permissions: undefined },
    { kind: 'markDropped', dropped: true },
  ]
}
