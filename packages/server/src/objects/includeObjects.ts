import type { WireFields, WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Access } from '../roles/Access.ts'
import { type Budget, createBudget } from './createBudget.ts'
import { type Found, fetchTargets } from './fetchTargets.ts'
import { type Level, openContainers } from './openContainers.ts'
import type { NameTree } from './Selection.ts'

type Pointer = { className: string; objectId: string }

/**
 * Puts whole objects in the place of pointers, as far as `include` leads: one statement for each class and level,
 * with the caller's own rights. What is missing or not to be read disappears.
 */
export async function includeObjects(
  context: Context,
  caller: Caller,
  access: Access,
  objects: WireFields[],
  include: NameTree,
): Promise<void> {
  const budget = createBudget()
  let levels: Level[] = openContainers([{ objects, tree: include }])
  while (levels.length > 0) {
    const found = await fetchTargets(context, caller, access, collectTargets(levels))
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

/** Answers what the next names lead from. */
function replacePointers({ objects, tree }: Level, found: Found, budget: Budget): Level[] {
  return [...tree].map(([name, inner]) => {
    const copies: WireFields[] = []
    const replace = (value: WireValue): WireValue | undefined => {
      const pointer = asPointer(value)
      if (!pointer) return value
      const target = found.get(pointer.className)?.get(pointer.objectId)
      if (!target) return undefined
      budget.spend(target)
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
