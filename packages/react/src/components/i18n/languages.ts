import type { SheetMessages } from './messages.ts'

type Loader = () => Promise<{ readonly words: SheetMessages }>

/** The languages besides English, which is always there; each is loaded when it is spoken. */
export const languages = {
  de: () => import('./locales/de.ts'),
  es: () => import('./locales/es.ts'),
  fr: () => import('./locales/fr.ts'),
  pt: () => import('./locales/pt.ts'),
  zh: () => import('./locales/zh.ts'),
  ja: () => import('./locales/ja.ts'),
  ar: () => import('./locales/ar.ts'),
} satisfies Record<string, Loader>

/** Languages of the sheet: English, German, Spanish, French, Portuguese, Chinese (simplified), Japanese, Arabic. */
export type Language = 'en' | keyof typeof languages

/** Language of a tag such as `de-AT`, if the sheet supports it. */
export function findLanguage(tag: string): Language | undefined {
  const [base = ''] = tag.toLowerCase().split(/[-_]/)
  return base === 'en' || Object.hasOwn(languages, base) ? (base as Language) : undefined
}
