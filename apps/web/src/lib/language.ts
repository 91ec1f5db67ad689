import type { Language } from '@countersign/react'
import { isLanguage } from './languages.ts'

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
