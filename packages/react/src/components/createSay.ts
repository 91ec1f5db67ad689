import { directionOf } from './directionOf.ts'
import type { Language } from './languages.ts'
import type { SheetWords, ValuesOf, WordName, WordValue } from './SheetWords.ts'

/** A word of the sheet by its name, with what it speaks of filled in. */
export type Say = <Name extends WordName>(
  name: Name,
  ...values: keyof ValuesOf<Name> extends never ? [] : [ValuesOf<Name>]
) => string

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/

/** Speaks a language: chooses plurals by its rules, and writes numbers and lists as it does. */
export function createSay(language: Language, words: SheetWords): Say {
  // Addresses and times beside them are in these digits.
  const locale = `${language}-u-nu-latn`
  const number = new Intl.NumberFormat(locale)
  const plural = new Intl.PluralRules(locale)
  const list = new Intl.ListFormat(locale)
  const isMirrored = directionOf(language) === 'rtl'

  const write = (value: WordValue | undefined): string => {
    if (typeof value === 'number') return number.format(value)
    if (typeof value === 'object') return list.format(value.map(write))
    // Set apart from what is around it, or an address and a name of the other direction would read in a wrong order.
    return value && (isMirrored || rightToLeft.test(value)) ? `\u2068${value}\u2069` : (value ?? '')
  }
  return (name, ...[values]) => {
    const given: { readonly [key: string]: WordValue | undefined } = values ?? {}
    return words[name].replace(
      /\{(\w+)(?:, plural,((?:[^{}]|\{[^{}]*\})*))?\}/g,
      (_, key: string, choices?: string) => {
        const value = given[key]
        if (choices === undefined || typeof value !== 'number') return write(value)
        const find = (category: string) => choices.match(new RegExp(`\\b${category} \\{([^{}]*)\\}`))?.[1]
        return (find(plural.select(value)) ?? find('other') ?? '').replaceAll('#', write(value))
      },
    )
  }
}
