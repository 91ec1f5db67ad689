import type { Loose } from '../Loose.ts'
import { applyChange } from './applyChange.ts'

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
