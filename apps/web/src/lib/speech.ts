import type { Language } from '@countersign/react'
import { createPhrasing, directionOf } from '@countersign/react/words'
import { language } from './language.ts'
import { isLanguage } from './languages.ts'
import { dictionaries } from './words/dictionaries.ts'

export type Speech = {
  language: Language
  /** The language with its reader's region, for dates and numbers. */
  locale: string
  words: Readonly<Record<string, string>>
  fill: ReturnType<typeof createPhrasing>
}

/** How long a language may take to arrive before English stands in for it. */
const patience = 1500

const listeners = new Set<() => void>()
let current = createSpeech('en', {})
let latest = 0

/** What the application speaks. Words are looked up in it by their English text. */
export const speech = {
  get: () => current,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  /** Settles when the words are there, or when they take too long; then they come later. */
  async start(): Promise<void> {
    const patient = new Promise((resolve) => setTimeout(resolve, patience))
    await Promise.race([follow(), patient])
  },
}

language.subscribe(() => void follow())

/** A language that cannot be fetched leaves the one that is spoken. */
async function follow(): Promise<void> {
  const wanted = language.get() ?? findPreferred()
  const turn = ++latest
  if (wanted === current.language) return
  try {
    const words = wanted === 'en' ? {} : await fetchWords(wanted)
    if (turn === latest) publish(createSpeech(wanted, words))
  } catch (error) {
    reportError(error)
  }
}

async function fetchWords(wanted: Exclude<Language, 'en'>): Promise<Record<string, string>> {
  const response = await fetch(dictionaries[wanted])
  if (!response.ok) throw new Error(`The words of ${wanted} could not be fetched: ${response.status}.`)
  return response.json()
}

function publish(next: Speech): void {
  current = next
  document.documentElement.lang = next.language
  document.documentElement.dir = directionOf(next.language)
  for (const listener of listeners) listener()
}

function createSpeech(language: Language, words: Record<string, string>): Speech {
  const tag = navigator.languages.find((each) => readBase(each) === language) ?? language
  return { language, words, fill: createPhrasing(language), locale: `${tag}-u-nu-latn` }
}

function findPreferred(): Language {
  return navigator.languages.map(readBase).find(isLanguage) ?? 'en'
}

function readBase(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? ''
}
