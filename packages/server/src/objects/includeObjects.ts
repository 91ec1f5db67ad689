import type { WireFields, WireValue } from '@countersign/protocol'
import { echoAuthData } from '../auth/parseCompat/readAuthData.ts'
import { addIdentities } from '../auth/providers/identities.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { reviveRow } from '../classes/decodeRow.ts'
import { fillFileUrls } from '../classes/fileUrls.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks, runAfterFind } from '../hooks/runHooks.ts'
import { findDecision } from '../permissions/decide.ts'
import { hiddenFields, stripHidden } from '../permissions/hiddenFields.ts'
import { always, type Condition } from '../queries/Condition.ts'
import { readWhere } from '../queries/readWhere.ts'
import { type Access, accessOf } from '../roles/accessOf.ts'
import { encodeSession, type SessionRow } from '../users/sessions/sessions.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'
import { askFindHooks } from './find/askFindHooks.ts'
import { type Budget, createBudget } from './find/createBudget.ts'
import { findByIds } from './find/findByIds.ts'
import { fetchRows } from './find/runFind.ts'
import { type NameTree, projectObject, type Selection } from './find/Selection.ts'
import type { StaleReads } from './find/staleReads.ts'
import type { ReadyFind } from './find/writeFind.ts'

type Pointer = { className: string; objectId: string }

/**
 * Puts whole objects in the place of pointers, as far as `include` leads: one statement for each class and level,
 * with the caller's own rights. What is missing or not to be read disappears.
 */
async function includeObjects(
  context: Context,
  caller: Caller,
  access: Access,
  objects: WireFields[],
  include: NameTree,
  stale: StaleReads | undefined,
): Promise<void> {
  const budget = createBudget(access)
  let levels: Level[] = openContainers([{ objects, tree: include }])
  while (levels.length > 0) {
    const found = await fetchTargets(context, caller, access, collectTargets(levels), stale)
    levels = openContainers(levels.flatMap((level) => replacePointers(level, found, budget)))
  }
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

/** Returns the objects that the next names lead from. */
function replacePointers({ objects, tree }: Level, found: Found, budget: Budget): Level[] {
  return [...tree].map(([name, inner]) => {
    const copies: WireFields[] = []
    const replace = (value: WireValue): WireValue | undefined => {
      const pointer = asPointer(value)
      if (!pointer) return value
      const target = found.get(pointer.className)?.get(pointer.objectId)
      if (!target) return undefined
      budget.spend(target, () => JSON.stringify(target).length)
      const copy: WireFields = { __type: 'Object', ...target, className: pointer.className }
      // A hook may have set another.
      copy.__type = 'Object'
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

/** Objects, and the names in them that are to be followed. */
type Level = { objects: WireFields[]; tree: NameTree }

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

/** Copied, since what was fetched once may be in several places. */
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

/** Objects by class and id. */
type Found = Map<string, Map<string, WireFields>>

/** Documents that pointers lead to, as far as the caller may read them: one statement per class. */
async function fetchTargets(
  context: Context,
  caller: Caller,
  access: Access,
  wanted: Map<string, Set<string>>,
  stale: StaleReads | undefined,
): Promise<Found> {
  const fetched = await Promise.all(
    [...wanted].map(async ([className, ids]): Promise<[string, Map<string, WireFields>]> => {
      const schema = context.classes.find(className)
      // A class that the caller may not read from is one whose objects are not to be read.
      const decision = schema && findDecision(schema, access, 'get')
      if (!schema || !decision) return [className, new Map()]
      return [className, await fetchObjects(context, caller, { access, schema, decision, stale }, [...ids])]
    }),
  )
  return new Map(fetched)
}

async function fetchObjects(
  context: Context,
  caller: Caller,
  { access, schema, decision, stale }: Pick<ReadyFind, 'access' | 'schema' | 'decision' | 'stale'>,
  ids: string[],
): Promise<Map<string, WireFields>> {
  const narrowed = await narrowByHooks(context, caller, schema, ids)
  const find = findByIds(context, { schema, access, decision, stale }, ids, narrowed)
  const rows: JsonRow[] = JSON.parse(await fetchRows(context, find, 'include'))
  const hidden = hiddenFields(context.config, schema, access)
  const objects = rows.map((row) =>
    stripHidden(hidden, schema, access, fillFileUrls(context, schema, decodeObject(schema, row))),
  )
  const { className } = schema
  const shown = await runAfterFind(context, caller, { className, objects, isGet: false })
  return new Map(shown.map((object) => [String(object.objectId), object]))
}

/** Condition from hooks for these documents: it can exclude some, never add any. */
async function narrowByHooks(context: Context, caller: Caller, schema: ClassSchema, ids: string[]): Promise<Condition> {
  const { className } = schema
  if (!findHooks(context, 'beforeFind', className)) return always
  const input = { where: { objectId: { $in: ids } }, limit: ids.length }
  const { where } = await askFindHooks(context, caller, className, input, { limit: ids.length, count: false })
  const { classes, config, clock } = context
  return readWhere({ classes, config, access: await accessOf(context, caller), now: clock.now() }, schema, where)
}

/** Columns of the server's own that an object of the class is made with. */
export function extraColumns({ className }: ClassSchema): string[] {
  return className === '_Session' ? ['_proof'] : []
}

/** Fields to fetch: selected ones, those that lead to includes, and those that decide access. `undefined` for all. */
export function fetchedFields(
  { config }: Context,
  schema: ClassSchema,
  access: Access,
  { keys }: Selection,
): ReadonlySet<string> | undefined {
  if (!keys) return undefined
  return new Set([...keys.keys(), ...hiddenFields(config, schema, access).whereNamed.map(({ field }) => field)])
}

/** Converts rows to the caller's objects: hidden fields removed, includes added, fields selected. */
export async function finishObjects(
  context: Context,
  caller: Caller,
  access: Access,
  schema: ClassSchema,
  rows: JsonRow[],
  selection: Selection,
  stale?: StaleReads,
): Promise<WireFields[]> {
  const hidden = hiddenFields(context.config, schema, access)
  const { keys, excludeKeys, include } = selection
  const wanted = keys && new Set(keys.keys())
  const objects = rows.map((row) => {
    const object = stripHidden(hidden, schema, access, decode(context, caller, schema, row, wanted))
    if (selection.score && typeof row._score === 'number') object.score = row._score
    return object
  })
  if (schema.className === '_User' && (!keys || keys.has('authData'))) await addIdentities(context, caller, objects)
  if (include.size > 0) await includeObjects(context, caller, access, objects, include, stale)
  if (!keys && !excludeKeys) return objects
  if (selection.score) keys?.set('score', new Map())
  return objects.map((object) => projectObject(object, keys, excludeKeys))
}

function decode(
  context: Context,
  caller: Caller,
  schema: ClassSchema,
  row: JsonRow,
  wanted: ReadonlySet<string> | undefined,
): WireFields {
  if (schema.className === '_Session') {
    const proof = typeof row._proof === 'string' ? Buffer.from(row._proof.slice(2), 'hex') : null
    return encodeSession(context, caller, { ...reviveRow(schema, row), _proof: proof } as SessionRow) as WireFields
  }
  const object = fillFileUrls(context, schema, decodeObject(schema, row, wanted))
  if (schema.className !== '_User' || caller.session?.userId !== object.objectId) return object
  // Sign-in methods are for the user's own eyes.
  const authData = echoAuthData(object, caller.session?.isAnonymous === true)
  return Object.keys(authData).length > 0 ? { ...object, authData } : object
}
