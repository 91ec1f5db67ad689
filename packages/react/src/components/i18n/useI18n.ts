'use client'

import { useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createStore, type Store } from '../../core/state/createStore.ts'
import { createTranslate, type Translate } from './createFormatter.ts'
import { type LanguageChoice, LanguageContext } from './LanguageContext.ts'
import { findLanguage, type Language, languages } from './languages.ts'
import { en } from './locales/en.ts'
import type { SheetMessages } from './messages.ts'

/**
 * Language of the page. If the sheet does not support it, English is used; only without a page language does the
 * browser decide.
 */
const pageLanguage: Store<Language> = {
  get() {
    const lang = globalThis.document?.documentElement.lang
    if (lang) return findLanguage(lang) ?? 'en'
    for (const tag of globalThis.navigator?.languages ?? []) {
      const language = findLanguage(tag)
      if (language) return language
    }
    return 'en'
  },
  subscribe(listener) {
    const observer = new MutationObserver(listener)
    observer.observe(document.documentElement, { attributeFilter: ['lang'] })
    globalThis.addEventListener('languagechange', listener)
    return () => {
      observer.disconnect()
      globalThis.removeEventListener('languagechange', listener)
    }
  },
}

const store = createStore<ReadonlyMap<Language, SheetMessages>>(new Map([['en', en]]))

const underWay = new Set<Language>()

/** The languages that have arrived. */
const loadedWords: Store<ReadonlyMap<Language, SheetMessages>> = store

/** Time (ms) after which English replaces a language that is still loading. */
const waitTime = 1500

export type I18n = { readonly language: Language; readonly say: Translate }

/** Language of a component; `undefined` while it loads, so that English is not shown first. */
export function useI18n(own: LanguageChoice): I18n | undefined {
  const around = useContext(LanguageContext)
  // The server cannot know the page's language, and a wrong guess would not match what the browser then draws.
  const ofPage = useSyncExternalStore<Language | undefined>(pageLanguage.subscribe, pageLanguage.get, unknown)
  const language = own.language ?? around.language ?? ofPage
  const loaded = useSyncExternalStore(loadedWords.subscribe, loadedWords.get, loadedWords.get)
  const [late, setLate] = useState<Language>()
  useEffect(() => {
    if (!language) return
    void loadWords(language)
    const timer = setTimeout(setLate, waitTime, language)
    return () => clearTimeout(timer)
  }, [language])

  const table = language && loaded.get(language)
  const spoken = table ? language : language && late === language ? 'en' : undefined
  return useMemo(() => {
    if (!spoken) return undefined
    const words = { ...en, ...table, ...around.words, ...own.words }
    return { language: spoken, say: createTranslate(spoken, words) }
  }, [spoken, table, around.words, own.words])
}

function unknown(): undefined {
  return undefined
}

/** Fetches a language once; a failure is tried again when it is next asked for. */
async function loadWords(language: Language): Promise<void> {
  if (language === 'en' || underWay.has(language)) return
  underWay.add(language)
  try {
    const { words } = await languages[language]()
    store.set(new Map(store.get()).set(language, words))
  } catch {
    underWay.delete(language)
  }
}
