import { createPhrasing } from './createPhrasing.ts'
import type { Language } from './languages.ts'
import type { SheetWords, ValuesOf, WordName } from './SheetWords.ts'

/** A word of the sheet by its name, with what it speaks of filled in. */
export type Say = <Name extends WordName>(
  name: Name,
  ...values: keyof ValuesOf<Name> extends never ? [] : [ValuesOf<Name>]
) => string

/** Speaks a language with these words. */
export function createSay(language: Language, words: SheetWords): Say {
  const fill = createPhrasing(language)
  return (name, ...[values]) => fill(words[name], values)
}
