import { quotePattern } from './quotePattern.ts'

/**
 * Texts that hold this anywhere.
 *
 * @example
 * query('Game', { where: { title: contains('Chess') } })
 */
export function contains(text: string): { readonly $regex: string } {
  return { $regex: quotePattern(text) }
}
