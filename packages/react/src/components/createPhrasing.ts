import { directionOf } from './directionOf.ts'
import type { Language } from './languages.ts'
import type { WordValue } from './SheetWords.ts'

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/

/**
 * Fills in phrases as a language does: chooses plurals by its rules, and writes numbers, days and lists as it does. The
 * phrases are yours: `{name}` is filled in, `{count, plural, one {…} other {…}}` chooses, and `#` is the number.
 *
 * @example
 * const fill = createPhrasing('de')
 * fill('{count, plural, one {# Gerät} other {# Geräte}} von {name}', { count: 1200, name: 'Ada' }) // 1.200 Geräte von Ada
 */
export function createPhrasing(
  language: Language,
): (text: string, values?: { readonly [name: string]: WordValue }) => string {
  // Addresses and times beside them are in these digits.
  const locale = `${language}-u-nu-latn`
  const number = new Intl.NumberFormat(locale)
  const plural = new Intl.PluralRules(locale)
  const list = new Intl.ListFormat(locale)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const isMirrored = directionOf(language) === 'rtl'

  const write = (value: WordValue | undefined): string => {
    if (typeof value === 'number' || typeof value === 'bigint') return number.format(value)
    if (value instanceof Date) return day.format(value)
    if (typeof value === 'object') return list.format(value.map(write))
    // Set apart from what is around it, or an address and a name of the other direction would read in a wrong order.
    return value && (isMirrored || rightToLeft.test(value)) ? `\u2068${value}\u2069` : (value ?? '')
  }
  return (text, values = {}) =>
    text.replace(/\{(\w+)(?:, plural,((?:[^{}]|\{[^{}]*\})*))?\}/g, (_, key: string, choices?: string) => {
      const value = values[key]
      if (choices === undefined || typeof value !== 'number') return write(value)
      const find = (category: string) => choices.match(new RegExp(`\\b${category} \\{([^{}]*)\\}`))?.[1]
      return (find(plural.select(value)) ?? find('other') ?? '').replaceAll('#', write(value))
    })
}
