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

/** Who may read and write: `*`, a user id, or `role:<name>`. */
export type Acl = { [entity: string]: { read?: true; write?: true } }
