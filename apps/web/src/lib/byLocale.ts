import { speech } from './speech.ts'

/** A format of `Intl`, made once for each locale that is spoken. */
export function byLocale<Format>(create: (locale: string) => Format): () => Format {
  let made: { locale: string; format: Format } | undefined
  return () => {
    const { locale } = speech.get()
    if (made?.locale !== locale) made = { locale, format: create(locale) }
    return made.format
  }
}
