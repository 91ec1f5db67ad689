import type { WireFields, WireValue } from '@countersign/protocol'
import type { NameTree } from './Selection.ts'

/** Objects, and the names in them that are to be followed. */
export type Level = { objects: WireFields[]; tree: NameTree }

/** A name on the way may stand for a plain object, in which the next name is looked for at once. */
export function openContainers(levels: Level[]): Level[] {
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
