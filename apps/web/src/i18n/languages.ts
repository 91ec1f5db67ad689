import type { Language } from '@countersign/react/sheet'

/** Languages of the application, each by its own name. */
export const languages: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}

/** Language of a tag such as `de-AT`, if supported here. */
export function readLanguage(tag: string): Language | undefined {
  const base = tag.split('-')[0]?.toLowerCase()
  return isLanguage(base) ? base : undefined
}

const key = 'Countersign/language'
const listeners = new Set<() => void>()

function read(): Language | undefined {
  try {
    const value = localStorage.getItem(key)
    return isLanguage(value) ? value : undefined
  } catch {
    return undefined
  }
}

let chosen = read()

// Another tab chose a language.
addEventListener('storage', (event) => {
  if (event.key !== key) return
  chosen = read()
  for (const listener of listeners) listener()
})

/** The language that was chosen here, by hand or by the account that was signed in last; else the browser's holds. */
export const language = {
  get: () => chosen,
  set(next: Language | undefined) {
    chosen = next
    try {
      if (next) localStorage.setItem(key, next)
      else localStorage.removeItem(key)
    } catch {
      // Storage is refused in some privacy modes: the choice then lasts until the page is left.
    }
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
