import { createContext, useContext } from 'react'
import { MissingProviderError } from '../core/errors/MissingProviderError.ts'
import type { UseSignInFlow } from '../hooks/useSignInFlow.ts'
import type { Say } from './createSay.ts'
import type { Language } from './languages.ts'

/** Where the sheet's links lead to. A link that is not given is not shown. */
export type SheetLinks = {
  readonly signUp?: string
  readonly forgot?: string
  readonly getWallet?: string
}

export type Sheet = {
  readonly flow: UseSignInFlow
  readonly say: Say
  readonly language: Language
  readonly linking: boolean
  readonly links: SheetLinks
  readonly onNavigate?: ((href: string) => void) | undefined
  readonly close: () => void
}

export const SheetContext = createContext<Sheet | undefined>(undefined)

/** The sheet that a part of it stands in. */
export function useSheet(): Sheet {
  const sheet = useContext(SheetContext)
  if (!sheet) throw new MissingProviderError()
  return sheet
}
