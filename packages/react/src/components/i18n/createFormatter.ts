import type { Language } from './languages.ts'
import type { MessageName, MessageValue, SheetMessages, ValuesOf } from './messages.ts'

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/

/**
 * Fills in phrases as a language does: chooses plurals by its rules, and writes numbers, days and lists as it does. The
 * phrases are yours: `{name}` is filled in, `{count, plural, one {…} other {…}}` chooses, and `#` is the number.
 *
 * @example
 * const fill = createFormatter('de')
 * fill('{count, plural, one {# Gerät} other {# Geräte}} von {name}', { count: 1200, name: 'Ada' }) // 1.200 Geräte von Ada
 */
export function createFormatter(
  language: Language,
): (text: string, values?: { readonly [name: string]: MessageValue }) => string {
  // Addresses and times beside them are in these digits.
  const locale = `${language}-u-nu-latn`
  // Made when a text first needs them: a page would load their data before its first paint.
  const number = once(() => new Intl.NumberFormat(locale))
  const plural = once(() => new Intl.PluralRules(locale))
  const list = once(() => new Intl.ListFormat(locale))
  const day = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }))
  const isMirrored = getTextDirection(language) === 'rtl'

  const write = (value: MessageValue | undefined): string => {
    if (typeof value === 'number' || typeof value === 'bigint') return number().format(value)
    if (value instanceof Date) return day().format(value)
    if (typeof value === 'object') return list().format(value.map(write))
    // Isolated, because a value of the other text direction would otherwise be shown in the wrong order.
    return value && (isMirrored || rightToLeft.test(value)) ? `\u2068${value}\u2069` : (value ?? '')
  }
  return (text, values = {}) =>
    text.replace(/\{(\w+)(?:, plural,((?:[^{}]|\{[^{}]*\})*))?\}/g, (_, key: string, choices?: string) => {
      const value = values[key]
      if (choices === undefined || typeof value !== 'number') return write(value)
      const find = (category: string) => choices.match(new RegExp(`\\b${category} \\{([^{}]*)\\}`))?.[1]
      return (find(plural().select(value)) ?? find('other') ?? '').replaceAll('#', write(value))
    })
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A text of the sheet by name, with its values filled in. */
export type Translate = <Name extends MessageName>(
  name: Name,
  ...values: keyof ValuesOf<Name> extends never ? [] : [ValuesOf<Name>]
) => string

/** Speaks a language with these words. */
export function createTranslate(language: Language, words: SheetMessages): Translate {
  const fill = createFormatter(language)
  return (name, ...[values]) => fill(words[name], values)
}

/**
 * The direction in which a language is written, for `dir` of an element.
 *
 * @example
 * document.documentElement.dir = getTextDirection('ar') // 'rtl'
 */
export function getTextDirection(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
