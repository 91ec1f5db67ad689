import type { Language } from '@countersign/react'

/** What the application speaks, each in its own words. */
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

/** The language that a tag such as `de-AT` asks for, where it is spoken here. */
export function readLanguage(tag: string): Language | undefined {
  const base = tag.split('-')[0]?.toLowerCase()
  return isLanguage(base) ? base : undefined
}
