/** Values as they cross the wire (parse-protocol section 3). */
export type WireDate = { __type: 'Date'; iso: string }
export type WirePointer = { __type: 'Pointer'; className: string; objectId: string }
/** `ipfs` and `hash` where it was pinned: the address at a gateway, and the content id. */
export type WireFile = { __type: 'File'; name: string; url?: string; ipfs?: string; hash?: string }
export type WireGeoPoint = { __type: 'GeoPoint'; latitude: number; longitude: number }
export type WirePolygon = { __type: 'Polygon'; coordinates: [number, number][] }
export type WireBytes = { __type: 'Bytes'; base64: string }
export type WireRelation = { __type: 'Relation'; className: string }

export type WireValue =
  | string
  | number
  | boolean
  | null
  | WireDate
  | WirePointer
  | WireFile
  | WireGeoPoint
  | WirePolygon
  | WireBytes
  | WireRelation
  | WireValue[]
  | { [key: string]: WireValue }

/** Update operations (parse-protocol section 4). */
export type WireOperation =
  | { __op: 'Increment'; amount: number }
  | { __op: 'Add' | 'AddUnique' | 'Remove'; objects: WireValue[] }
  | { __op: 'AddRelation' | 'RemoveRelation'; objects: WirePointer[] }
  | { __op: 'Batch'; ops: WireOperation[] }
  | { __op: 'Delete' }
  | { __op: 'SetOnInsert'; amount: WireValue }

export type WireFields = { [field: string]: WireValue }
export type WireChanges = { [field: string]: WireValue | WireOperation }

/** Access list: who may read and write, by `*`, a user id or `role:<name>`. */
export type Acl = { [entity: string]: { read?: true; write?: true } }

/**
 * Encodes a scalar as JSON; `undefined` for a list or an object. Values that JSON would change or lose go to `refuse`,
 * with a description.
 */
export function encodeScalar(value: unknown, refuse: (what: string) => never): WireValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : refuse(String(value))
  if (typeof value !== 'object') return refuse(`a ${typeof value}`)
  if (!(value instanceof Date)) return undefined
  return Number.isNaN(value.getTime()) ? refuse('an invalid date') : { __type: 'Date', iso: value.toISOString() }
}

/** An object of a class, as it was read: where it is a value, it stands for a pointer to it. */
export function isClassObject(value: object): value is { className: string; objectId: string } {
  const { __type, className, objectId }: { __type?: unknown; className?: unknown; objectId?: unknown } = value
  return __type === 'Object' && typeof className === 'string' && typeof objectId === 'string'
}

export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The second test also knows the Object of another frame, thread or context.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
