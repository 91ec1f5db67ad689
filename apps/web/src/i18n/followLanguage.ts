import type { Language } from '@countersign/react/sheet'
import { language, readLanguage } from './languages.ts'
import ar from './locales/ar.json?url'
import de from './locales/de.json?url'
import es from './locales/es.json?url'
import fr from './locales/fr.json?url'
import ja from './locales/ja.json?url'
import pt from './locales/pt.json?url'
import zh from './locales/zh.json?url'
import { i18n } from './translate.ts'

/** Time (ms) after which English replaces a language that is still loading. */
const patience = 1500

let turn = 0
let report = () => {}

language.subscribe(() => void follow())

/**
 * Settles when the messages of the wanted language are there, or when they take too long; then they come later.
 * `onFailure` is called whenever a language cannot be fetched, from now on.
 */
export async function followLanguage(onFailure: () => void = report): Promise<void> {
  report = onFailure
  await Promise.race([follow(), new Promise((resolve) => setTimeout(resolve, patience))])
}

async function follow(): Promise<void> {
  const wanted = language.get() ?? findPreferred()
  const own = ++turn
  if (wanted === i18n.get().language) return
  try {
    const messages = wanted === 'en' ? {} : await loadMessages(wanted)
    if (own === turn) i18n.set(wanted, messages)
  } catch {
    report()
  }
}

/**
 * Adds the words of a part that is loaded later, in the language that is spoken now and in each that is chosen after.
 * Where they cannot be fetched, that part speaks English.
 */
export async function addWords(part: Dictionaries): Promise<void> {
  if (parts.includes(part)) return
  parts.push(part)
  const { language: spoken } = i18n.get()
  if (spoken === 'en') return
  try {
    const words = await loadPart(part, spoken)
    const { language: now, messages } = i18n.get()
    if (now === spoken) i18n.set(spoken, { ...messages, ...words })
  } catch {
    report()
  }
}

async function loadMessages(wanted: Exclude<Language, 'en'>): Promise<Record<string, string>> {
  return Object.assign({}, ...(await Promise.all(parts.map((part) => loadPart(part, wanted)))))
}

async function loadPart(part: Dictionaries, wanted: Exclude<Language, 'en'>): Promise<Record<string, string>> {
  const response = await fetch(part[wanted])
  if (!response.ok) throw new Error(response.statusText)
  return response.json()
}

function findPreferred(): Language {
  return navigator.languages.map(readLanguage).find((each) => each !== undefined) ?? 'en'
}

/** Dictionaries by English text; a language is loaded on first use. */
type Dictionaries = Readonly<Record<Exclude<Language, 'en'>, string>>

const parts: Dictionaries[] = [{ ar, de, es, fr, ja, pt, zh }]
