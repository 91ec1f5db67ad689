import type { BrandText } from '@countersign/protocol'
import { createFormatter, getTextDirection, type MessageValues } from '@countersign/react/i18n'
import type { Language } from '@countersign/react/sheet'
import { readLanguage } from './languages.ts'

/**
 * Translates an English text. The text is a literal, so that a test can check every language; never called while a
 * module loads, because the result would keep the language of that moment. A text with two meanings names one after a
 * bar (`Set up|action`), because other languages have a word for each.
 */
export function t<const Text extends string>(
  text: Text,
  ...[values]: keyof MessageValues<Text> extends never ? [] : [MessageValues<Text>]
): string {
  const { messages, fill } = i18n.get()
  return fill(messages[text] ?? english(text), values)
}

/** The English text without the meaning after the bar, which is for translators. */
export const english = (text: string) => text.replace(/\|\w+$/, '')

/** A text of the operator in the language that is spoken, else in English, else in the first that there is. */
export function chooseText(text: BrandText | undefined): string | undefined {
  if (typeof text !== 'object') return text
  return text[i18n.get().language] ?? text.en ?? Object.values(text)[0]
}

/** Failure of the server or session layer, with the stable reason that translations use. */
type Failure = {
  reason?: string
  params?: Readonly<Record<string, string | number | boolean>>
  message: string
}

/** A failure in the language of the reader; the English sentence where that language has none for the reason. */
export function translateError({ reason, params = {}, message }: Failure): string {
  const { messages, fill } = i18n.get()
  const text = reason === undefined ? undefined : messages[`reason.${reason}`]
  if (text === undefined) return message
  const values = Object.entries(params).map(([name, value]) => [name, String(value)])
  return fill(text, Object.fromEntries(values))
}

type I18n = {
  language: Language
  /** The language with its reader's region, for dates and numbers. */
  locale: string
  messages: Readonly<Record<string, string>>
  fill: ReturnType<typeof createFormatter>
}

const listeners = new Set<() => void>()
let current = createI18n('en', {})

/** The current language. Messages are looked up by their English text. */
export const i18n = {
  get: () => current,
  set(language: Language, messages: Record<string, string>) {
    current = createI18n(language, messages)
    document.documentElement.lang = language
    document.documentElement.dir = getTextDirection(language)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

function createI18n(language: Language, messages: Record<string, string>): I18n {
  const tag = navigator.languages.find((each) => readLanguage(each) === language) ?? language
  // A browser may add wishes of its own to the tag, as `en-US-u-mu-celsius`.
  const locale = new Intl.Locale(tag, { numberingSystem: 'latn' }).toString()
  return { language, messages, fill: createFormatter(language), locale }
}
