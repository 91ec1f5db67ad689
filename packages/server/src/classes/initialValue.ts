import type { WireValue } from '@countersign/protocol'
import type { Change } from './Change.ts'
import { valueKey } from './valueKey.ts'

/** The value that a change makes where nothing was before: what a create stores. */
export function initialValue(change: Change): WireValue | undefined {
  switch (change.kind) {
    case 'set':
    case 'setOnInsert':
      return change.value
    case 'increment':
      return change.amount
    case 'add':
      return change.objects
    case 'addUnique':
      return [...new Map(change.objects.map((object) => [valueKey(object), object])).values()]
    case 'remove':
      return []
    default:
      return undefined
  }
}
