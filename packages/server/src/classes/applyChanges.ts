import { valueKey, type WireFields, type WireValue } from '@countersign/protocol'
import { type Change, initialValue, putInside } from './Change.ts'

/** Applies changes in memory, with the same result as in the database, which locks the document. */
export function applyChanges(object: WireFields, changes: Change[]): WireFields {
  const after: WireFields = { ...object }
  for (const change of changes) {
    const { field, path } = change
    if (change.kind === 'relate' || change.kind === 'unrelate' || change.kind === 'setOnInsert') continue
    if (change.kind === 'delete') {
      const left = path.length > 0 ? takeOut(after[field], path) : undefined
      if (left === undefined) delete after[field]
      else after[field] = left
      continue
    }
    const value = operate(look(after[field], path), change)
    if (value !== undefined) after[field] = path.length > 0 ? putInside(after[field], path, value) : value
  }
  return after
}

function operate(before: WireValue | undefined, change: Change): WireValue | undefined {
  if (before === undefined || before === null || change.kind === 'set') return initialValue(change)
  if (change.kind === 'increment') return typeof before === 'number' ? before + change.amount : before
  if (!Array.isArray(before)) return before
  if (change.kind === 'add') return [...before, ...change.objects]
  const keysOf = (list: WireValue[]) => new Set(list.map(valueKey))
  if (change.kind === 'remove') {
    const gone = keysOf(change.objects)
    return before.filter((item) => !gone.has(valueKey(item)))
  }
  if (change.kind !== 'addUnique') return before
  const present = keysOf(before)
  return [...before, ...(initialValue(change) as WireValue[]).filter((item) => !present.has(valueKey(item)))]
}

function look(value: WireValue | undefined, path: string[]): WireValue | undefined {
  return path.reduce<WireValue | undefined>(
    (at, key) =>
      at !== null && typeof at === 'object' && Object.hasOwn(at, key) ? (Reflect.get(at, key) as WireValue) : undefined,
    value,
  )
}

function takeOut(value: WireValue | undefined, [key = '', ...rest]: string[]): WireValue | undefined {
  if (value === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as WireFields
  if (rest.length > 0) copy[key] = takeOut(copy[key], rest) as WireValue
  else if (Array.isArray(copy)) copy.splice(Number(key), 1)
  else delete copy[key]
  return copy
}
