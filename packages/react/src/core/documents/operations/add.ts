import type { ListOperation } from './Operation.ts'

/**
 * Appends to a list, also what is in it already.
 *
 * @example
 * await save(client, game, { tags: add('chess') })
 */
export function add<Item>(...objects: readonly Item[]): ListOperation<Item> {
  return { __op: 'Add', objects }
}
