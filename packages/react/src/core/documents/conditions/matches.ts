/**
 * Texts that a regular expression matches. Of its flags i, m, s and u count.
 *
 * @example
 * query('Game', { where: { title: matches(/^chess/i) } })
 */
export function matches({ source, flags }: RegExp): { readonly $regex: string; readonly $options?: string } {
  const options = flags.replace(/[^imsu]/g, '')
  return options === '' ? { $regex: source } : { $regex: source, $options: options }
}
