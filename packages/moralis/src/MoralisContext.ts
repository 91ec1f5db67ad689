import { createContext } from 'react'
import type { ContextActs } from './ContextActs.ts'
import type { MoralisStatic } from './createMoralisObject.ts'
import type { Attributes } from './Loose.ts'
import type { MoralisUser } from './parse/MoralisUser.ts'
import type { Web3State } from './web3/createWeb3Reader.ts'

export type AuthenticationState =
  | 'undefined'
  | 'unauthenticated'
  | 'authenticated'
  | 'authenticating'
  | 'logging_out'
  | 'error'

export type Authentication =
  | { state: Exclude<AuthenticationState, 'error'>; error: null }
  | { state: 'error'; error: AuthError }

export interface AuthError extends Error {
  code: number
}

export interface MoralisContextValue extends Web3State, ContextActs {
  Moralis: MoralisStatic
  environment: 'browser' | 'native'
  appId: string | null
  serverUrl: string | null
  isInitialized: boolean
  isInitializing: boolean
  initialize: (options?: { serverUrl?: string; appId?: string }) => void

  auth: Authentication
  authError: AuthError | null
  isAuthenticated: boolean
  isUnauthenticated: boolean
  isAuthenticating: boolean
  hasAuthError: boolean
  isLoggingOut: boolean
  isAuthUndefined: boolean

  user: MoralisUser<Attributes> | null
  _setUser: (user: MoralisUser) => void
  userError: Error | null
  isUserUpdating: boolean

  web3EnableError: Error | null
  isWeb3EnableLoading: boolean
}

/**
 * Shared state of the older names; null outside `<MoralisProvider>`.
 *
 * @example
 * import { useContext } from 'react'
 *
 * function Signed() {
 *   const moralis = useContext(MoralisContext)
 *   return moralis?.isAuthenticated ? 'Signed in' : 'Nobody is signed in'
 * }
 */
export const MoralisContext = createContext<MoralisContextValue | null>(null)
