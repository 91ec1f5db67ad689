import type { SheetWords } from './SheetWords.ts'

type Loader = () => Promise<{ readonly words: SheetWords }>

/** The languages besides English, which is always there; each is loaded when it is spoken. */
export const languages = {
  de: () => import('./words/de.ts'),
  es: () => import('./words/es.ts'),
  fr: () => import('./words/fr.ts'),
  pt: () => import('./words/pt.ts'),
  zh: () => import('./words/zh.ts'),
  ja: () => import('./words/ja.ts'),
  ar: () => import('./words/ar.ts'),
} satisfies Record<string, Loader>

/** What the sheet speaks: English, German, Spanish, French, Portuguese, Chinese (simplified), Japanese, Arabic. */
export type Language = 'en' | keyof typeof languages
