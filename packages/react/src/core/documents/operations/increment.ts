import type { Increment } from './Operation.ts'

/**
 * Adds to a number on the server, so that nobody's addition is lost.
 *
 * @example
 * await save(client, game, { score: increment(5) })
 */
export function increment(amount = 1): Increment {
  return { __op: 'Increment', amount }
}
