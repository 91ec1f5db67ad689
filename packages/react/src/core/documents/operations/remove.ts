import type { ListOperation } from './Operation.ts'

/**
 * Takes every such item out of a list.
 *
 * @example
 * await save(client, game, { tags: remove('chess') })
 */
export function remove<Item>(...objects: readonly Item[]): ListOperation<Item> {
  return { __op: 'Remove', objects }
}
