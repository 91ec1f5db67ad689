import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Context } from '../../context/Context.ts'
import { findHooks } from '../../hooks/runHooks.ts'
import { findDecision } from '../../permissions/decide.ts'
import { hiddenFields } from '../../permissions/hiddenFields.ts'
import type { Access } from '../../roles/accessOf.ts'
import { createBudget } from './createBudget.ts'
import { findByIds } from './findByIds.ts'
import { fetchRows } from './runFind.ts'
import type { NameTree, Selection } from './Selection.ts'
import type { StaleReads } from './staleReads.ts'
import { type Included, transcribeEach, transcribeRows } from './transcribeRows.ts'
import type { ReadyFind } from './writeFind.ts'

type Target = Pick<ReadyFind, 'access' | 'schema' | 'decision' | 'stale'>

/** An object as text, by the text of its id. */
type Found = Map<string, { text: string }>

/**
 * Returns true if the rows are the caller's objects as they are: nothing is hidden, selected or changed by hooks.
 * Includes may remain.
 */
export function isPlainFind(context: Context, access: Access, schema: ClassSchema, selection: Selection): boolean {
  const { keys, excludeKeys, score } = selection
  return !keys && !excludeKeys && !score && isPlainClass(context, access, schema)
}

function isPlainClass(context: Context, access: Access, schema: ClassSchema): boolean {
  if (schema.className.startsWith('_')) return false
  const { always: hidden, whereNamed } = hiddenFields(context.config, schema, access)
  return !hidden && whereNamed.length === 0 && !findHooks(context, 'afterFind', schema.className)
}

/**
 * JSON of the rows with whole objects in the place of pointers, written without the objects in between. `undefined` for
 * includes that need them: of lists, of names inside others, of classes with hidden fields or hooks.
 */
export async function transcribeIncludes(
  context: Context,
  access: Access,
  schema: ClassSchema,
  text: string,
  include: NameTree,
  stale: StaleReads | undefined,
): Promise<string | undefined> {
  const targets = readTargets(context, access, schema, include, stale)
  if (!targets) return undefined
  const wanted = new Map<ClassSchema, { target: Target; ids: Set<string> }>()
  for (const target of targets.values()) wanted.set(target.schema, { target, ids: new Set() })
  const collect = (target: Target) => (id: string) => void wanted.get(target.schema)?.ids.add(id)
  if (transcribeRows(context, schema, text, included(targets, collect)) === undefined) return undefined
  const found = new Map<ClassSchema, Found | undefined>()
  await Promise.all(
    [...wanted].map(async ([one, { target, ids }]) => found.set(one, await fetchTexts(context, target, [...ids]))),
  )
  if ([...found.values()].includes(undefined)) return undefined
  const budget = createBudget(access)
  const replace = (target: Target) => (id: string) => {
    const object = found.get(target.schema)?.get(id)
    if (object) budget.spend(object, () => object.text.length)
    return object?.text
  }
  return transcribeRows(context, schema, text, included(targets, replace))
}

function included(
  targets: ReadonlyMap<string, Target>,
  replace: (target: Target) => (id: string) => string | undefined,
): Included {
  return new Map([...targets].map(([name, target]) => [`${JSON.stringify(name)}:`, replace(target)]))
}

/** Targets of the pointers by field. `undefined` if one of them is not plain. */
function readTargets(
  context: Context,
  access: Access,
  { fields }: ClassSchema,
  include: NameTree,
  stale: StaleReads | undefined,
): Map<string, Target> | undefined {
  const targets = new Map<string, Target>()
  for (const [name, inner] of include) {
    const { type, targetClass = '' } = fields.get(name) ?? {}
    const schema = type === 'Pointer' && inner.size === 0 ? context.classes.find(targetClass) : undefined
    const decision = schema && findDecision(schema, access, 'get')
    if (!schema || !decision || !isPlainClass(context, access, schema)) return undefined
    if (findHooks(context, 'beforeFind', schema.className)) return undefined
    targets.set(name, { access, schema, decision, stale })
  }
  return targets
}

/** The objects that the caller may read. `undefined` if their rows are written in another form. */
async function fetchTexts(context: Context, target: Target, ids: string[]): Promise<Found | undefined> {
  const { schema } = target
  if (ids.length === 0) return new Map()
  const wanted = ids.map((id): string => JSON.parse(id))
  const rows = transcribeEach(context, schema, await fetchRows(context, findByIds(context, target, wanted), 'include'))
  const kind = `,"__type":"Object","className":${JSON.stringify(schema.className)}}`
  return rows && new Map(rows.map(({ id, text }) => [id, { text: text.slice(0, -1) + kind }]))
}
