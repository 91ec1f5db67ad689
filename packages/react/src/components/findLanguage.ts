import { type Language, languages } from './languages.ts'

/** The language that a tag such as `de-AT` asks for, where the sheet speaks it. */
export function findLanguage(tag: string): Language | undefined {
  const [base = ''] = tag.toLowerCase().split(/[-_]/)
  return base === 'en' || Object.hasOwn(languages, base) ? (base as Language) : undefined
}
