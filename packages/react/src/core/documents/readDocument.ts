import type { WireFields } from '@countersign/protocol'
import { decode } from '../wire/decode.ts'

/** The frozen snapshot of an object that the server answered. */
export function readDocument<Item>(className: string, record: object): Item {
  const { className: own = className, ...fields }: WireFields = { ...record }
  return decode({ __type: 'Object', className: own, ...fields }) as Item
}
