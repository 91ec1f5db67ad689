import type { ListOperation } from './Operation.ts'

/**
 * Appends to a list what is not in it.
 *
 * @example
 * await save(client, game, { tags: addUnique('chess') })
 */
export function addUnique<Item>(...objects: readonly Item[]): ListOperation<Item> {
  return { __op: 'AddUnique', objects }
}
