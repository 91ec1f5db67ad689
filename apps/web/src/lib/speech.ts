import type { Language } from '@countersign/react'
import { createPhrasing, directionOf } from '@countersign/react/words'
import { readLanguage } from './languages.ts'

export type Speech = {
  language: Language
  /** The language with its reader's region, for dates and numbers. */
  locale: string
  words: Readonly<Record<string, string>>
  fill: ReturnType<typeof createPhrasing>
}

const listeners = new Set<() => void>()
let current = createSpeech('en', {})

/** What the application speaks. Words are looked up in it by their English text. */
export const speech = {
  get: () => current,
  set(language: Language, words: Record<string, string>) {
    current = createSpeech(language, words)
    document.documentElement.lang = language
    document.documentElement.dir = directionOf(language)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

function createSpeech(language: Language, words: Record<string, string>): Speech {
  const tag = navigator.languages.find((each) => readLanguage(each) === language) ?? language
  // A browser may add wishes of its own to the tag, as `en-US-u-mu-celsius`.
  const locale = new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  return { language, words, fill: createPhrasing(language), locale }
}
