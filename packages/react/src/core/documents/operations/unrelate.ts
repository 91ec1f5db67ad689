import type { Ref } from '../Document.ts'
import { pointer } from '../values/pointer.ts'
import type { RelationOperation } from './Operation.ts'

/**
 * Takes objects out of a relation.
 *
 * @example
 * await save(client, game, { likes: unrelate(player, pointer('Player', 'xWMyZ4YEGZ')) })
 */
export function unrelate<Name extends string>(...objects: readonly Ref<Name>[]): RelationOperation<Name> {
  return { __op: 'RemoveRelation', objects: objects.map(({ className, objectId }) => pointer(className, objectId)) }
}
