import type { WireFields, WireValue } from '@countersign/protocol'
import { keptNames, type NameTree } from './Selection.ts'

/** The object with only what was asked for, and without what was asked to be left out. */
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

/** Into objects, and into those of an array; values with a type of their own are whole. */
function inside(value: WireValue, act: (part: WireFields) => WireFields): WireValue {
  if (Array.isArray(value)) return value.map((item) => inside(item, act))
  if (value === null || typeof value !== 'object') return value
  const type = Reflect.get(value, '__type')
  return type === undefined || type === 'Object' ? act(value as WireFields) : value
}
