import { type HookDefinition, type HookOptions, mark } from './Definition.ts'

/**
 * Code that stands in the way of a write, a question or a sign-in. Before-hooks run inside the transaction of a write:
 * what they throw undoes it, and what they write is kept with it.
 *
 * @example
 * import { CountersignError, defineHook } from 'countersign'
 *
 * export const checkStars = defineHook({
 *   on: 'beforeSave',
 *   className: 'Review',
 *   handle({ object }) {
 *     if (object.stars > 5) throw new CountersignError('ValidationError', 'A review has five stars at most.')
 *     return { checkedAt: new Date() }
 *   },
 * })
 */
export function defineHook(options: HookOptions): HookDefinition {
  return { ...options, [mark]: 'hook' }
}
