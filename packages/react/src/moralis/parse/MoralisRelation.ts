import type { MoralisObject } from './MoralisObject.ts'
import type { MoralisQuery } from './MoralisQuery.ts'

/** The objects that belong to another. What is added or removed is sent when the owner is saved. */
export type MoralisRelation = {
  readonly parent: MoralisObject
  readonly key: string
  add(objects: MoralisObject | readonly MoralisObject[]): MoralisObject
  remove(objects: MoralisObject | readonly MoralisObject[]): void
  query(): MoralisQuery
  toJSON(): object
}
