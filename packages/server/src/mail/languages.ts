import type { MailWords } from './words/en.ts'

/** What mails are written in besides English, each loaded with its first letter. */
export const languages: { readonly [Language in MailLanguage]: () => Promise<{ words: MailWords }> } = {
  ar: () => import('./words/ar.ts'),
  de: () => import('./words/de.ts'),
  es: () => import('./words/es.ts'),
  fr: () => import('./words/fr.ts'),
  ja: () => import('./words/ja.ts'),
  pt: () => import('./words/pt.ts'),
  zh: () => import('./words/zh.ts'),
}

export type MailLanguage = 'ar' | 'de' | 'es' | 'fr' | 'ja' | 'pt' | 'zh'

export function isMailLanguage(value: unknown): value is MailLanguage {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}
