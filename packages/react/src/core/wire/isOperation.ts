import type { WireOperation } from '@countersign/protocol'

/** Says whether a value is an update operation (`{ __op: 'Increment', … }`) and not a value to store. */
export function isOperation(value: unknown): value is WireOperation {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__op')
}
