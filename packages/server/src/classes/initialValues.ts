import type { WireValue } from '@countersign/protocol'
import type { Change } from './Change.ts'
import { initialValue } from './initialValue.ts'

type Tree = { [key: string]: WireValue }

/**
 * What a new object holds by field, dotted names put together. A field is null where null was asked for, and absent
 * where nothing is left of it.
 */
export function initialValues(changes: Change[]): Map<string, WireValue> {
  const values = new Map<string, WireValue>()
  for (const change of changes) {
    const value = initialValue(change)
    if (value === undefined) continue
    const before = values.get(change.field)
    values.set(change.field, change.path.length > 0 ? putInside(before, change.path, value) : value)
  }
  return values
}

/** The place inside a value, made on the way there. The same as countersign.json_put does in the database. */
export function putInside(before: WireValue | undefined, [key = '', ...rest]: string[], value: WireValue): WireValue {
  if (/^\d{1,6}$/.test(key) && (before === undefined || before === null || Array.isArray(before))) {
    const list = [...((before ?? []) as WireValue[])]
    const index = Math.min(Number(key), list.length)
    list[index] = rest.length > 0 ? putInside(list[index], rest, value) : value
    return list
  }
  const tree: Tree = isTree(before) ? { ...before } : {}
  tree[key] = rest.length > 0 ? putInside(tree[key], rest, value) : value
  return tree
}

function isTree(value: WireValue | undefined): value is Tree {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)
}
