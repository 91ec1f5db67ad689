import type { Unset } from './Operation.ts'

/**
 * Takes a field away.
 *
 * @example
 * await save(client, game, { finishedAt: unset() })
 */
export function unset(): Unset {
  return { __op: 'Delete' }
}
