import { createStore } from '../core/createStore.ts'
import type { Store } from '../core/Store.ts'
import { type Language, languages } from './languages.ts'
import type { SheetWords } from './SheetWords.ts'
import { en } from './words/en.ts'

const store = createStore<ReadonlyMap<Language, SheetWords>>(new Map([['en', en]]))
const underWay = new Set<Language>()

/** The languages that have arrived. */
export const loadedWords: Store<ReadonlyMap<Language, SheetWords>> = store

/** Fetches a language once; a failure is tried again when it is next asked for. */
export async function loadWords(language: Language): Promise<void> {
  if (language === 'en' || underWay.has(language)) return
  underWay.add(language)
  try {
    const { words } = await languages[language]()
    store.set(new Map(store.get()).set(language, words))
  } catch {
    underWay.delete(language)
  }
}
