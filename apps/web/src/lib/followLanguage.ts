import type { Language } from '@countersign/react'
import { language } from './language.ts'
import { readLanguage } from './languages.ts'
import { say } from './say.ts'
import { speech } from './speech.ts'
import { toasts } from './toasts.ts'
import { dictionaries } from './words/dictionaries.ts'

/** How long a language may take to arrive before English stands in for it. */
const patience = 1500

let turn = 0

language.subscribe(() => void follow())

/** Settles when the words of the wanted language are there, or when they take too long; then they come later. */
export async function followLanguage(): Promise<void> {
  await Promise.race([follow(), new Promise((resolve) => setTimeout(resolve, patience))])
}

async function follow(): Promise<void> {
  const wanted = language.get() ?? findPreferred()
  const own = ++turn
  if (wanted === speech.get().language) return
  try {
    const words = wanted === 'en' ? {} : await fetchWords(wanted)
    if (own === turn) speech.set(wanted, words)
  } catch {
    toasts.add(say('Your language could not be fetched. Load the page again to try once more.'), 'danger')
  }
}

async function fetchWords(wanted: Exclude<Language, 'en'>): Promise<Record<string, string>> {
  const response = await fetch(dictionaries[wanted])
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

function findPreferred(): Language {
  return navigator.languages.map(readLanguage).find((each) => each !== undefined) ?? 'en'
}
