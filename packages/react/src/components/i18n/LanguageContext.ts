'use client'

import { createContext } from 'react'
import type { Language } from './languages.ts'
import type { SheetMessages } from './messages.ts'

export type LanguageChoice = {
  /** Language of the components. Default: the page's `lang`, else the browser's preference. */
  readonly language?: Language | undefined
  /** Words of your own, in place of single ones. */
  readonly words?: Partial<SheetMessages> | undefined
}

const none: LanguageChoice = {}

export const LanguageContext = createContext(none)
