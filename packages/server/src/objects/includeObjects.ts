import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Context } from '../context/Context.ts'
import type { Decision } from '../permissions/Decision.ts'
import { decide } from '../permissions/decide.ts'
import { hiddenFields, stripHidden } from '../permissions/hiddenFields.ts'
import { all } from '../queries/conditions.ts'
import { liveSessions } from '../queries/liveSessions.ts'
import type { Access } from '../roles/Access.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'
import { runFind } from './runFind.ts'
import type { NameTree } from './Selection.ts'
import { type ReadyFind, writeFind } from './writeFind.ts'

type Level = { objects: WireFields[]; tree: NameTree }
type Found = Map<string, Map<string, WireFields>>
type Pointer = { className: string; objectId: string }

/**
 * Puts whole objects in the place of pointers, as far as `include` leads: one statement for each class and level,
 * with the caller's own rights. What is missing or not to be read disappears.
 */
export async function includeObjects(
  context: Context,
  access: Access,
  objects: WireFields[],
  include: NameTree,
): Promise<void> {
  let levels: Level[] = openContainers([{ objects, tree: include }])
  while (levels.length > 0) {
    const found = await fetchTargets(context, access, collectTargets(levels))
    levels = openContainers(levels.flatMap((level) => replacePointers(level, found)))
  }
}

/** A name on the way may stand for a plain object, in which the next name is looked for at once. */
function openContainers(levels: Level[]): Level[] {
  return levels.flatMap((level) => {
    if (level.objects.length === 0 || level.tree.size === 0) return []
    const inner = [...level.tree]
      .filter(([, tree]) => tree.size > 0)
      .map(([name, tree]) => ({ objects: level.objects.flatMap((object) => copyContainers(object, name)), tree }))
    return [level, ...openContainers(inner)]
  })
}

/** Copied, since what was fetched once may stand in several places. */
function copyContainers(object: WireFields, name: string): WireFields[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  if (Array.isArray(value)) {
    const copies: WireFields[] = []
    object[name] = value.map((item) => {
      if (!isContainer(item)) return item
      const copy = { ...item }
      copies.push(copy)
      return copy
    })
    return copies
  }
  if (value === undefined || !isContainer(value)) return []
  const copy = { ...value }
  object[name] = copy
  return [copy]
}

function isContainer(value: WireValue): value is WireFields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !Object.hasOwn(value, '__type')
}

function asPointer(value: WireValue): Pointer | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const { __type, className, objectId } = value as { [key: string]: WireValue }
  return __type === 'Pointer' && typeof className === 'string' && typeof objectId === 'string'
    ? { className, objectId }
    : undefined
}

function collectTargets(levels: Level[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const { objects, tree } of levels) {
    for (const object of objects) {
      for (const name of tree.keys()) {
        const value = Object.hasOwn(object, name) ? object[name] : undefined
        if (value === undefined) continue
        for (const item of Array.isArray(value) ? value : [value]) {
          const pointer = asPointer(item)
          if (!pointer) continue
          const ids = wanted.get(pointer.className) ?? new Set()
          wanted.set(pointer.className, ids.add(pointer.objectId))
        }
      }
    }
  }
  return wanted
}

async function fetchTargets(context: Context, access: Access, wanted: Map<string, Set<string>>): Promise<Found> {
  const fetched = await Promise.all(
    [...wanted].map(async ([className, ids]): Promise<[string, Map<string, WireFields>]> => {
      const schema = context.classes.find(className)
      const decision = schema && findDecision(schema, access)
      if (!schema || !decision) return [className, new Map()]
      return [className, await fetchObjects(context, access, schema, decision, [...ids])]
    }),
  )
  return new Map(fetched)
}

/** A class that the caller may not read from is one whose objects are not to be read. */
function findDecision(schema: ClassSchema, access: Access): Decision | undefined {
  try {
    const decision = decide(schema, access, 'get')
    return decision.rows === 'none' ? undefined : decision
  } catch (error) {
    if (error instanceof CountersignError) return undefined
    throw error
  }
}

async function fetchObjects(
  context: Context,
  access: Access,
  schema: ClassSchema,
  decision: Decision,
  ids: string[],
): Promise<Map<string, WireFields>> {
  const place = { field: 'objectId', type: 'String', path: [] } as const
  // Twice the one id: a list of one would be written as another statement than a list of many.
  const values = ids.length === 1 ? [...ids, ...ids] : ids
  const condition = all([{ kind: 'equals', place, values }, liveSessions(schema, context.clock.now())])
  const find: ReadyFind = { schema, access, decision, condition, sorts: [] }
  const [answer] = await runFind<{ rows: JsonRow[] }>(context, find, 'include', writeFind(find))
  const hidden = hiddenFields(context.config, schema, access)
  return new Map(
    (answer?.rows ?? []).map((row) => [row.objectId, stripHidden(hidden, schema, access, decodeObject(schema, row))]),
  )
}

/** Answers what the next names lead from. */
function replacePointers({ objects, tree }: Level, found: Found): Level[] {
  return [...tree].map(([name, inner]) => {
    const copies: WireFields[] = []
    const replace = (value: WireValue): WireValue | undefined => {
      const pointer = asPointer(value)
      if (!pointer) return value
      const target = found.get(pointer.className)?.get(pointer.objectId)
      if (!target) return undefined
      const copy: WireFields = { ...target, __type: 'Object', className: pointer.className }
      copies.push(copy)
      return copy
    }
    for (const object of objects) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined
      if (value === undefined) continue
      const replaced = Array.isArray(value)
        ? value.map(replace).filter((item): item is WireValue => item !== undefined)
        : replace(value)
      if (replaced === undefined) delete object[name]
      else object[name] = replaced
    }
    return { objects: copies, tree: inner }
  })
}
