import { quotePattern } from './quotePattern.ts'

/**
 * Texts that begin so; an index can serve it.
 *
 * @example
 * query('Game', { where: { title: startsWith('Chess') } })
 */
export function startsWith(text: string): { readonly $regex: string } {
  return { $regex: `^${quotePattern(text)}` }
}
