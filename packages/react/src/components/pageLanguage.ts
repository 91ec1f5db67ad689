import type { Store } from '../core/Store.ts'
import { findLanguage } from './findLanguage.ts'
import type { Language } from './languages.ts'

/**
 * The language of the page. A page that names one that the sheet does not speak gets English, and not what its reader
 * has set for others; only where it names none does the browser decide.
 */
export const pageLanguage: Store<Language> = {
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
