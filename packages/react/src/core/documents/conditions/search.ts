export type SearchOptions = {
  /** Such as `en`; it decides which forms of a word are one. */
  readonly language?: string
  readonly caseSensitive?: boolean
  readonly diacriticSensitive?: boolean
}

/**
 * Texts that hold these words. Order by `$score` for the best match first.
 *
 * @example
 * query('Review', { where: { text: search('good coffee', { language: 'en' }) }, order: ['$score'], keys: ['text', '$score'] })
 */
export function search(term: string, { language, caseSensitive, diacriticSensitive }: SearchOptions = {}) {
  const $search: { readonly $term: string; readonly [option: string]: unknown } = {
    $term: term,
    $language: language,
    $caseSensitive: caseSensitive,
    $diacriticSensitive: diacriticSensitive,
  }
  return { $text: { $search } } as const
}
