'use client'

import { createContext } from 'react'
import type { Language } from './languages.ts'
import type { SheetMessages } from './messages.ts'

export type LanguageChoice = {
  /** What the components speak; the page's `lang`, else what the browser prefers, by default. */
  readonly language?: Language | undefined
  /** Words of your own, in place of single ones. */
  readonly words?: Partial<SheetMessages> | undefined
}

const none: LanguageChoice = {}

export const LanguageContext = createContext(none)
