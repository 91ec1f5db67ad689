'use client'

import { createContext, useContext, useEffect, useState } from 'react'
import { MissingProviderError } from '../../core/errors/errors.ts'
import type { UseSignInFlow } from '../../hooks/signInFlow/useSignInFlow.ts'
import type { Translate } from '../i18n/createFormatter.ts'
import type { Language } from '../i18n/languages.ts'

/** Links of the sheet. A missing link is not shown. */
export type SheetLinks = {
  readonly signUp?: string
  readonly forgot?: string
  readonly getWallet?: string
}

export type Sheet = {
  readonly flow: UseSignInFlow
  readonly say: Translate
  readonly language: Language
  readonly linking: boolean
  readonly title: string | undefined
  readonly links: SheetLinks
  readonly onNavigate?: ((href: string) => void) | undefined
  readonly close: () => void
}

export const SheetContext = createContext<Sheet | undefined>(undefined)

/** The surrounding sheet. */
export function useSheet(): Sheet {
  const sheet = useContext(SheetContext)
  if (!sheet) throw new MissingProviderError()
  return sheet
}

/** Seconds until a time, counted down; 0 without one, or if it has passed. */
export function useSecondsLeft(end: number | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (end === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= end) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [end])
  return end === undefined ? 0 : Math.max(0, Math.ceil((end - now) / 1000))
}
