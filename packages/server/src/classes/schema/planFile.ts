import {
  type ClassPermissions,
  CountersignError,
  sameValue,
  type WireFields,
  type WireValue,
} from '@countersign/protocol'
import type { ClassStep } from '../applySteps.ts'
import { type ClassSchema, describeType } from '../ClassSchema.ts'
import { isSystemClass } from '../names.ts'
import { isSystemField } from '../systemFields.ts'
import { encodeSchema, fieldsOf, isShownField } from './encodeSchema.ts'
import { checkSchemaName, readField, readIndex } from './planFields.ts'
import { evolve, keepProtected, type PlanOptions, planSchema } from './planSchema.ts'

export type PlannedClass = { className: string; current: ClassSchema | undefined; steps: ClassStep[] }

type Wanted = { [key: string]: WireValue }

/** Steps from the current classes to those of a schema file. Classes not in the file are dropped. */
export function planFile(known: ReadonlyMap<string, ClassSchema>, file: Wanted, options: PlanOptions): PlannedClass[] {
  const wanted = Object.keys(file).map((className): PlannedClass => {
    const current = known.get(className)
    return {
      className,
      current,
      steps: within(className, () => planClass(className, current, file[className], options)),
    }
  })
  const unnamed = [...known.values()].filter(({ className }) => !Object.hasOwn(file, className))
  // The server's own classes stay even if the file does not name them.
  const dropped = unnamed
    .filter(({ className }) => !isSystemClass(className))
    .map((current): PlannedClass => ({ className: current.className, current, steps: [{ kind: 'dropClass' }] }))
  return [...wanted, ...dropped].filter(({ steps }) => steps.length > 0)
}

function planClass(
  className: string,
  current: ClassSchema | undefined,
  definition: WireValue | undefined,
  options: PlanOptions,
): ClassStep[] {
  checkSchemaName(className)
  const { fields, classLevelPermissions, indexes, ...unknown } = readRecord(className, definition)
  const [stray] = Object.keys(unknown)
  if (stray !== undefined) {
    throw new CountersignError(
      'InvalidJson',
      `${stray} is not a property of a class. Use fields, classLevelPermissions and indexes.`,
    )
  }
  const wanted = spellOut(fields === undefined ? {} : readRecord('fields', fields))
  if (!current) return planSchema(className, undefined, { fields: wanted, classLevelPermissions, indexes }, options)
  const asked = indexes === undefined ? undefined : readRecord('indexes', indexes)
  const first = [
    ...(asked ? planReplacing(current, asked) : []),
    ...(fields === undefined ? [] : planRetyping(current, wanted)),
  ]
  const base = evolve(current, first)
  const input = {
    fields: fields === undefined ? {} : { ...deletions(base, wanted), ...wanted },
    ...(changesPermissions(current, classLevelPermissions) && { classLevelPermissions }),
    indexes: asked ? indexChanges(afterDeletions(base, wanted, fields !== undefined), asked) : {},
  }
  return [...first, ...planSchema(className, base, input, options)]
}

/** `'String'` stands for `{ type: 'String' }`. */
function spellOut(fields: WireFields): WireFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, typeof field === 'string' ? { type: field } : field]),
  )
}

/** Fields that become another type lose what they hold. */
function planRetyping(current: ClassSchema, wanted: WireFields): ClassStep[] {
  return Object.entries(wanted).flatMap(([name, value]): ClassStep[] => {
    const present = current.fields.get(name)
    const relation = current.relations.get(name)
    if ((!present && relation === undefined) || isSystemField(current.className, name)) return []
    const read = readField(current.className, name, value)
    const was = present ? describeType(present) : `Relation<${relation}>`
    const is = read.kind === 'field' ? describeType(read.field) : `Relation<${read.targetClass}>`
    if (was === is) return []
    return [{ kind: present ? 'dropField' : 'dropRelation', name }]
  })
}

/** Removes indexes that disappear with their field: they need not be dropped, and may be created again. */
function afterDeletions(base: ClassSchema, wanted: WireFields, deletes: boolean): ClassSchema {
  if (!deletes) return base
  return evolve(
    base,
    Object.keys(deletions(base, wanted)).map((name): ClassStep => ({ kind: 'dropField', name })),
  )
}

function deletions(current: ClassSchema, wanted: WireFields): WireFields {
  const { className } = current
  const unnamed = Object.keys(fieldsOf(current)).filter(
    (name) => !Object.hasOwn(wanted, name) && !isShownField(className, name) && !isSystemField(className, name),
  )
  return Object.fromEntries(unnamed.map((name) => [name, { __op: 'Delete' }]))
}

function changesPermissions(current: ClassSchema, wanted: WireValue | undefined): boolean {
  if (wanted === undefined || wanted === null) return false
  const now = encodeSchema(current).classLevelPermissions as WireValue
  const permissions = keepProtected(current, wanted as ClassPermissions)
  return !sameValue(now, encodeSchema({ ...current, permissions }).classLevelPermissions as WireValue)
}

/** Indexes that are asked for otherwise than they are: dropped, then created again. */
function planReplacing(current: ClassSchema, wanted: WireFields): ClassStep[] {
  return [...current.indexes].flatMap(([name, index]): ClassStep[] => {
    if (!Object.hasOwn(wanted, name)) return []
    return sameIndex(readIndex(name, wanted[name] ?? null), index) ? [] : [{ kind: 'dropIndex', name }]
  })
}

function indexChanges(current: ClassSchema, wanted: WireFields): WireFields {
  const unnamed = [...current.indexes.keys()].filter((name) => !Object.hasOwn(wanted, name))
  const added = Object.entries(wanted).filter(([name]) => !current.indexes.has(name))
  return { ...Object.fromEntries(unnamed.map((name) => [name, { __op: 'Delete' }])), ...Object.fromEntries(added) }
}

function sameIndex(one: ReturnType<typeof readIndex>, other: ReturnType<typeof readIndex>): boolean {
  return one.unique === other.unique && JSON.stringify([...one.fields]) === JSON.stringify([...other.fields])
}

function readRecord(name: string, value: WireValue | undefined): Wanted {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new CountersignError('InvalidJson', `${name} must be an object.`)
  }
  return value as Wanted
}

/** Mistakes in a file are reported with the class that they are in. */
function within<Result>(className: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    throw new CountersignError(error.code, `${className}: ${error.message}`, { cause: error })
  }
}
