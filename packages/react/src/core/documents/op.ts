import type { Increment, ListOperation, RelationOperation, Unset } from '../values/Changes.ts'
import type { Ref } from '../values/Document.ts'
import { pointer } from './values.ts'

/**
 * Appends to a list, also existing items.
 *
 * @example
 * await saveDocument(client, game, { tags: op.add('chess') })
 */
export function add<Item>(...objects: readonly Item[]): ListOperation<Item> {
  return { __op: 'Add', objects }
}

/**
 * Appends missing items to a list.
 *
 * @example
 * await saveDocument(client, game, { tags: op.addUnique('chess') })
 */
export function addUnique<Item>(...objects: readonly Item[]): ListOperation<Item> {
  return { __op: 'AddUnique', objects }
}

/**
 * Adds to a number on the server, so that nobody's addition is lost.
 *
 * @example
 * await saveDocument(client, game, { score: op.increment(5) })
 */
export function increment(amount = 1): Increment {
  return { __op: 'Increment', amount }
}

/**
 * Puts objects into a relation.
 *
 * @example
 * await saveDocument(client, game, { likes: op.addToRelation(pointer('_User', 'xWMyZ4YEGZ')) })
 */
export function addToRelation<Name extends string>(...objects: readonly Ref<Name>[]): RelationOperation<Name> {
  return { __op: 'AddRelation', objects: objects.map(({ className, objectId }) => pointer(className, objectId)) }
}

/**
 * Takes every such item out of a list.
 *
 * @example
 * await saveDocument(client, game, { tags: op.remove('chess') })
 */
export function remove<Item>(...objects: readonly Item[]): ListOperation<Item> {
  return { __op: 'Remove', objects }
}

/**
 * Takes objects out of a relation.
 *
 * @example
 * await saveDocument(client, game, { likes: op.removeFromRelation(pointer('_User', 'xWMyZ4YEGZ')) })
 */
export function removeFromRelation<Name extends string>(...objects: readonly Ref<Name>[]): RelationOperation<Name> {
  return { __op: 'RemoveRelation', objects: objects.map(({ className, objectId }) => pointer(className, objectId)) }
}

/**
 * Takes a field away.
 *
 * @example
 * await saveDocument(client, game, { finishedAt: op.unset() })
 */
export function unset(): Unset {
  return { __op: 'Delete' }
}
