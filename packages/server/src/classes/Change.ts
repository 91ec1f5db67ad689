import type { WirePointer, WireValue } from '@countersign/protocol'

/** One change of one field, or of a place inside it (`path`, from a dotted key). */
export type Change = { field: string; path: string[] } & (
  | { kind: 'set'; value: WireValue }
  /** Only where the object is made. */
  | { kind: 'setOnInsert'; value: WireValue }
  | { kind: 'delete' }
  | { kind: 'increment'; amount: number }
  | { kind: 'add' | 'addUnique' | 'remove'; objects: WireValue[] }
  /** Pointers of one class; without any, the class may be unknown. */
  | { kind: 'relate'; targetClass: string | undefined; objects: WirePointer[] }
  | { kind: 'unrelate'; targetClass: string | undefined; objects: WirePointer[] }
)

/** A change without its place. */
export type ChangeKind = Change extends infer One ? (One extends Change ? Omit<One, 'field' | 'path'> : never) : never
