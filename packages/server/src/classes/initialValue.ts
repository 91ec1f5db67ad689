import type { WireValue } from '@countersign/protocol'
import type { Change } from './Change.ts'
import { sameValue } from './sameValue.ts'

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
      return change.objects.filter((object, index, all) => all.findIndex((other) => sameValue(other, object)) === index)
    case 'remove':
      return []
    default:
      return undefined
  }
}
