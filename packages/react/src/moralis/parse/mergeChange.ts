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

/** Two changes of a field as the one that is sent. */
export function mergeChange(base: Loose, pending: Loose, next: Loose): Loose {
  const op = Object(next).__op
  if (pending === undefined || op === undefined || op === 'Delete') return next
  const before = Object(pending).__op
  if (before === undefined || before === 'Delete') return applyChange(applyChange(base, pending), next)
  if (before === op && op === 'Increment') return { __op: op, amount: pending.amount + next.amount }
  if (before === op) return { __op: op, objects: [...pending.objects, ...next.objects] }
  if (/Relation$/.test(op) && /Relation$/.test(before)) return { __op: 'Batch', ops: [pending, next] }
  return applyChange(applyChange(base, pending), next)
}

function holds(list: readonly Loose[], item: Loose): boolean {
  return list.some((one) => one === item || (one?.id !== undefined && one.id === item?.id) || isEqual(one, item))
}

function isEqual(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
