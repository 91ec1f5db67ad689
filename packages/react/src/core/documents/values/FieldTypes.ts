/** Names an object without holding it. */
export type Pointer<Name extends string = string> = {
  readonly __type: 'Pointer'
  readonly className: Name
  readonly objectId: string
}

/** Says that a field is a relation, and to which class. `relation` gives the query of its members. */
export type Relation<Name extends string = string> = { readonly __type: 'Relation'; readonly className: Name }

export type GeoPoint = { readonly __type: 'GeoPoint'; readonly latitude: number; readonly longitude: number }

/** Corners as `[latitude, longitude]`. */
export type Polygon = { readonly __type: 'Polygon'; readonly coordinates: readonly (readonly [number, number])[] }

export type Bytes = { readonly __type: 'Bytes'; readonly base64: string }

/** A file that the server keeps. */
export type StoredFile = {
  readonly __type: 'File'
  readonly name: string
  readonly url?: string
  /** Where a gateway has it, and its content id, if it was pinned to IPFS. */
  readonly ipfs?: string
  readonly hash?: string
}
