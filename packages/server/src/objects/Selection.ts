import { CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Config } from '../config/Config.ts'
import type { Find } from '../queries/Find.ts'
import { readName } from '../queries/resolvePlace.ts'

/** Names with what is meant inside of them; an empty one means all of it. */
export type NameTree = Map<string, NameTree>

/** Which parts of an object, and of the objects that it points to, are wanted. */
export type Selection = {
  readonly keys: NameTree | undefined
  readonly excludeKeys: NameTree | undefined
  readonly include: NameTree
  readonly score: boolean
}

/** Never left out: what makes an object one. */
export const keptNames: ReadonlySet<string> = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL'])

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
    keys: keys && createTree(keys),
    excludeKeys: find.excludeKeys.length > 0 ? createTree(find.excludeKeys) : undefined,
    include,
    score: find.keys?.includes('$score') ?? false,
  }
}

function createTree(names: readonly string[]): NameTree {
  const tree: NameTree = new Map()
  for (const name of names) addName(tree, readName(name, 'field name'), true)
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
      throw new CountersignError('InvalidQuery', `include may lead ${includeDepth} levels deep at most.`)
    }
    for (const inner of tree.values()) walk(inner, depth + 1)
  }
  walk(include, 1)
  if (count > includeCount) {
    throw new CountersignError('InvalidQuery', `A query may include ${includeCount} fields at most.`)
  }
}
