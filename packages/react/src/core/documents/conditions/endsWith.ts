import { quotePattern } from './quotePattern.ts'

/**
 * Texts that end so.
 *
 * @example
 * query('Game', { where: { title: endsWith('Chess') } })
 */
export function endsWith(text: string): { readonly $regex: string } {
  return { $regex: `${quotePattern(text)}$` }
}
