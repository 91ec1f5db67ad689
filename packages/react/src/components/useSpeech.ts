import { useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createSay, type Say } from './createSay.ts'
import { type LanguageChoice, LanguageContext } from './LanguageContext.ts'
import type { Language } from './languages.ts'
import { loadedWords, loadWords } from './loadedWords.ts'
import { pageLanguage } from './pageLanguage.ts'
import { en } from './words/en.ts'

/** How long a language may take to arrive before English stands in for it. */
const patience = 1500

export type Speech = { readonly language: Language; readonly say: Say }

/** What a component speaks; `undefined` while that is on its way, so that nothing is shown in English first. */
export function useSpeech(own: LanguageChoice): Speech | undefined {
  const around = useContext(LanguageContext)
  // The server cannot know what the page will say, and a guess would not fit what the browser then draws.
  const ofPage = useSyncExternalStore<Language | undefined>(pageLanguage.subscribe, pageLanguage.get, unknown)
  const language = own.language ?? around.language ?? ofPage
  const loaded = useSyncExternalStore(loadedWords.subscribe, loadedWords.get, loadedWords.get)
  const [late, setLate] = useState<Language>()
  useEffect(() => {
    if (!language) return
    void loadWords(language)
    const timer = setTimeout(setLate, patience, language)
    return () => clearTimeout(timer)
  }, [language])

  const table = language && loaded.get(language)
  const spoken = table ? language : language && late === language ? 'en' : undefined
  return useMemo(() => {
    if (!spoken) return undefined
    const words = { ...en, ...table, ...around.words, ...own.words }
    return { language: spoken, say: createSay(spoken, words) }
  }, [spoken, table, around.words, own.words])
}

function unknown(): undefined {
  return undefined
}
