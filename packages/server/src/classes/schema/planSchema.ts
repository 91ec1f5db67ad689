import {
  type ClassPermissions,
  CountersignError,
  type FieldRecord,
  type WireFields,
  type WireValue,
} from '@countersign/protocol'
import { currentUser, encodeAcl } from '../acl.ts'
import type { ClassStep } from '../applySteps.ts'
import { type ClassSchema, emptySchema } from '../ClassSchema.ts'
import { missingFields } from '../columns.ts'
import { defaultFieldNames } from '../names.ts'
import { isSystemField, startOf } from '../systemFields.ts'
import { fieldsOf } from './encodeSchema.ts'
import { planFields, planIndexes } from './planFields.ts'

const operations = new Set(['find', 'get', 'count', 'create', 'update', 'delete', 'addField'])

const pointerLists = new Set(['readUserFields', 'writeUserFields'])

/** A role or a service account. */
const roleEntity = /^(role|service):\P{Cc}+$/u

const fieldEntity = /^userField:./

/** Input of the schema API for a class. */
export type SchemaInput = {
  fields?: WireValue | undefined
  classLevelPermissions?: WireValue | undefined
  indexes?: WireValue | undefined
}

/** State that a change is based on, as far as the caller sends it. */
export type SchemaBasis = { classLevelPermissions?: WireValue | undefined }

export type PlanOptions = {
  /** Pattern of user ids. */
  userId: RegExp
}

/** Steps to the requested class. For a new class, those that create it come first. */
export function planSchema(
  className: string,
  current: ClassSchema | undefined,
  input: SchemaInput,
  { userId }: PlanOptions,
): ClassStep[] {
  const start = current ? [] : startOf(className)
  const base = current ?? evolve(emptySchema(className), start)
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

/** Keeps hidden fields hidden unless `protectedFields` changes them: leaving it out reveals nothing. */
export function keepProtected(current: ClassSchema | undefined, wanted: ClassPermissions): ClassPermissions {
  const protectedFields = current?.permissions?.protectedFields
  return protectedFields && !Object.hasOwn(wanted, 'protectedFields') ? { ...wanted, protectedFields } : wanted
}

/** Class after steps that change its fields. */
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

type Fields = { [name: string]: FieldRecord }

type Entries = { [key: string]: WireValue }

/** Checks class-level permissions against the fields of the class. `userId` is what the id of a user looks like. */
export function readPermissions(fields: Fields, userId: RegExp, value: WireValue): ClassPermissions {
  if (!isRecord(value)) refuse(`${show(value)} is not a valid value for class level permissions - must be an object`)
  for (const [key, entry] of Object.entries(value)) {
    if (pointerLists.has(key)) checkPointerList(fields, key, entry)
    else if (key === 'protectedFields') checkProtected(fields, userId, entry)
    else if (key === 'ACL') checkDefaultAcl(userId, entry)
    else if (operations.has(key)) checkOperation(fields, userId, key, entry)
    else refuse(`${key.slice(0, 100)} is not a valid operation for class level permissions`)
  }
  return value as ClassPermissions
}

function checkPointerList(fields: Fields, key: string, entry: WireValue): void {
  if (!Array.isArray(entry)) {
    refuse(`'${show(entry)}' is not a valid value for class level permissions ${key} - must be an array`)
  }
  for (const name of entry) checkPointer(fields, key, name)
}

function checkPointer(fields: Fields, key: string, name: WireValue): void {
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field?.type === 'Array' || (field?.type === 'Pointer' && field.targetClass === '_User')) return
  refuse(`'${show(name)}' is not a valid column for class level pointer permissions ${key}`)
}

function checkOperation(fields: Fields, userId: RegExp, key: string, entry: WireValue): void {
  if (!isRecord(entry)) {
    refuse(`'${show(entry)}' is not a valid value for class level permissions ${key} - must be an object`)
  }
  for (const [entity, permit] of Object.entries(entry)) {
    if (entity === 'pointerFields') {
      if (!Array.isArray(permit)) {
        refuse(`'${show(permit)}' is not a valid value for ${key}[${entity}] - expected an array.`)
      }
      for (const name of permit) checkPointer(fields, key, name)
      continue
    }
    const known = entity === '*' || entity === 'requiresAuthentication' || roleEntity.test(entity)
    if (!known && !userId.test(entity)) refuseKey(entity)
    if (permit !== true) {
      const shown = show(permit)
      refuse(`'${shown}' is not a valid value for class level permissions ${key}:${entity}:${shown}`)
    }
  }
}

function checkProtected(fields: Fields, userId: RegExp, entry: WireValue): void {
  if (!isRecord(entry)) {
    refuse(`'${show(entry)}' is not a valid value for class level permissions protectedFields - must be an object`)
  }
  for (const [entity, names] of Object.entries(entry)) {
    const known = entity === '*' || entity === 'authenticated' || roleEntity.test(entity) || fieldEntity.test(entity)
    if (!known && !userId.test(entity)) refuseKey(entity)
    if (!Array.isArray(names)) {
      refuse(`'${show(names)}' is not a valid value for protectedFields[${entity}] - expected an array.`)
    }
    for (const name of names) {
      if (typeof name === 'string' && defaultFieldNames.has(name))
        refuse(`Default field '${name}' can not be protected`)
      if (typeof name !== 'string' || !Object.hasOwn(fields, name)) {
        refuse(`Field '${show(name)}' in protectedFields:${entity} does not exist`)
      }
    }
  }
}

function checkDefaultAcl(userId: RegExp, entry: WireValue): void {
  const { _rperm, _wperm } = encodeAcl(entry)
  for (const entity of [..._rperm, ..._wperm]) {
    const known = entity === '*' || entity === currentUser || roleEntity.test(entity)
    if (!known && !userId.test(entity)) refuseKey(entity)
  }
}

function isRecord(value: WireValue): value is Entries {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function refuseKey(entity: string): never {
  refuse(`'${entity.slice(0, 100)}' is not a valid key for class level permissions`)
}

function refuse(message: string): never {
  throw new CountersignError('InvalidJson', message)
}

function show(value: WireValue): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)
}
