import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Config } from '../../config/Config.ts'
import { readName } from '../../queries/Place.ts'
import type { Find } from '../../queries/readFind.ts'

/** The object with the selected fields only. */
export function projectObject(
  object: WireFields,
  keys: NameTree | undefined,
  excludeKeys: NameTree | undefined,
): WireFields {
  const kept = keys ? keep(object, keys) : object
  return excludeKeys ? leaveOut(kept, excludeKeys) : kept
}

function keep(object: WireFields, keys: NameTree): WireFields {
  const isObject = typeof object.objectId === 'string' || object.__type === 'Object'
  const kept: WireFields = {}
  for (const [name, value] of Object.entries(object)) {
    const inner = keys.get(name)
    if (inner) kept[name] = inner.size === 0 ? value : inside(value, (part) => keep(part, inner))
    else if (isObject && (keptNames.has(name) || name === '__type' || name === 'className')) kept[name] = value
  }
  return kept
}

function leaveOut(object: WireFields, names: NameTree): WireFields {
  const kept: WireFields = {}
  for (const [name, value] of Object.entries(object)) {
    const inner = names.get(name)
    if (!inner || keptNames.has(name)) kept[name] = value
    else if (inner.size > 0) kept[name] = inside(value, (part) => leaveOut(part, inner))
  }
  return kept
}

/** Applies to objects, and to those in an array; typed values stay whole. */
function inside(value: WireValue, act: (part: WireFields) => WireFields): WireValue {
  if (Array.isArray(value)) return value.map((item) => inside(item, act))
  if (value === null || typeof value !== 'object') return value
  const type = Reflect.get(value, '__type')
  return type === undefined || type === 'Object' ? act(value as WireFields) : value
}

/** Names with what is meant inside of them; an empty one means all of it. */
export type NameTree = Map<string, NameTree>

/** Requested parts of a document, and of the documents it points to. */
export type Selection = {
  readonly keys: NameTree | undefined
  readonly excludeKeys: NameTree | undefined
  readonly include: NameTree
  readonly score: boolean
}

/** Never left out: what makes an object one. */
const keptNames: ReadonlySet<string> = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL'])

/** Reads `keys`, `excludeKeys` and `include`. A dotted key asks for the object on its way, too. */
export function createSelection(
  { requestComplexity }: Config,
  schema: ClassSchema,
  find: Pick<Find, 'keys' | 'excludeKeys' | 'include'> & { includeAll?: boolean },
): Selection {
  const named = find.keys?.filter((name) => name !== '$score')
  // The score alone comes on top of all fields.
  const keys = named?.length === 0 && find.keys?.includes('$score') ? undefined : named
  const all = find.includeAll || find.include.includes('*')
  const include: NameTree = new Map()
  if (all) for (const name of pointing(schema)) include.set(name, new Map())
  const written = find.include.filter((name) => name !== '*')
  for (const name of written) addName(include, readName(name, 'field name'))
  for (const name of keys ?? []) {
    const parts = readName(name, 'field name')
    if (parts.length > 1) addName(include, parts.slice(0, -1))
  }
  checkSize(requestComplexity, include)
  return {
    // `p,p.name` selects a part of a pointer's target, `meta,meta.a` the whole object.
    keys: keys && createTree(keys, (field) => schema.fields.get(field)?.type !== 'Pointer'),
    excludeKeys: find.excludeKeys.length > 0 ? createTree(find.excludeKeys, () => true) : undefined,
    include,
    score: find.keys?.includes('$score') ?? false,
  }
}

/**
 * Builds a tree of names. With `isWhole` a name includes everything inside, even if another names a part; otherwise
 * only the part counts.
 */
function createTree(names: readonly string[], isWhole: (field: string) => boolean): NameTree {
  const tree: NameTree = new Map()
  for (const name of names) {
    const parts = readName(name, 'field name')
    addName(tree, parts, isWhole(parts[0] ?? ''))
  }
  return tree
}

/** With `whole` the name asks for all that is in it, also where another asked for a part. */
function addName(tree: NameTree, [name, ...rest]: readonly string[], whole = false): void {
  if (name === undefined) return
  const known = tree.get(name)
  if (whole && known?.size === 0) return
  const inner = known ?? new Map()
  if (whole && rest.length === 0) inner.clear()
  tree.set(name, inner)
  addName(inner, rest, whole)
}

function pointing(schema: ClassSchema): string[] {
  return [...schema.fields].filter(([, { type }]) => type === 'Pointer' || type === 'Array').map(([name]) => name)
}

function checkSize({ includeDepth, includeCount }: Config['requestComplexity'], include: NameTree): void {
  let count = 0
  const walk = (tree: NameTree, depth: number) => {
    count += tree.size
    if (tree.size > 0 && depth > includeDepth) {
      throw new CountersignError('InvalidQuery', `include can go at most ${includeDepth} levels deep.`)
    }
    for (const inner of tree.values()) walk(inner, depth + 1)
  }
  walk(include, 1)
  if (count > includeCount) {
    throw new CountersignError('InvalidQuery', `A query can include at most ${includeCount} fields.`)
  }
}
