import type { Ref } from '../Document.ts'
import { pointer } from '../values/pointer.ts'
import type { RelationOperation } from './Operation.ts'

/**
 * Puts objects into a relation.
 *
 * @example
 * await save(client, game, { likes: relate(player, pointer('Player', 'xWMyZ4YEGZ')) })
 */
export function relate<Name extends string>(...objects: readonly Ref<Name>[]): RelationOperation<Name> {
  return { __op: 'AddRelation', objects: objects.map(({ className, objectId }) => pointer(className, objectId)) }
}
