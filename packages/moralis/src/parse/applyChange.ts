import type { Loose } from '../Loose.ts'

type Operation = { readonly __op: string; readonly amount?: number; readonly objects?: readonly Loose[] }

/** A field's value once a change, which is a value or an operation, is applied. */
export function applyChange(before: Loose, change: Loose): Loose {
  const { __op, amount = 0, objects = [] }: Operation = Object(change)
  switch (__op) {
    case undefined:
      return change
    case 'Delete':
      return undefined
    case 'Increment':
      return (before ?? 0) + amount
    case 'Add':
      return [...(before ?? []), ...objects]
    case 'AddUnique':
      return [...(before ?? []), ...objects.filter((one) => !holds(before ?? [], one))]
    case 'Remove':
      return (before ?? []).filter((one: Loose) => !holds(objects, one))
    default:
      return before
  }
}

function holds(list: readonly Loose[], item: Loose): boolean {
  return list.some((one) => one === item || (one?.id !== undefined && one.id === item?.id) || isEqual(one, item))
}

function isEqual(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
