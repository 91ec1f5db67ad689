import { createContext } from 'react'
import type { MoralisStatic } from './createMoralisObject.ts'
import type { Attributes, Loose } from './Loose.ts'
import type { MoralisUser } from './parse/MoralisUser.ts'
import type { MoralisCallbacks } from './runCall.ts'
import type { Web3State } from './web3/createWeb3Reader.ts'
import type { MoralisWeb3Provider } from './web3/MoralisWeb3Provider.ts'
import type { AuthenticateOptions as AuthenticateInput, EnableOptions } from './web3/readConnector.ts'

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

export type AuthenticateOptions = AuthenticateInput & MoralisCallbacks<MoralisUser>
export type Web3EnableOptions = EnableOptions & MoralisCallbacks<MoralisWeb3Provider | undefined>
export type LoginOptions = MoralisCallbacks<MoralisUser> & { usePost?: boolean }
export type SetUserData = Record<string, Loose>

export interface MoralisContextValue extends Web3State {
  Moralis: MoralisStatic
  environment: 'browser' | 'native'
  appId: string | null
  serverUrl: string | null
  isInitialized: boolean
  isInitializing: boolean
  initialize: (options?: { serverUrl?: string; appId?: string }) => void

  authenticate: (options?: AuthenticateOptions) => Promise<MoralisUser | undefined>
  signup: (
    username: string,
    password: string,
    email?: string,
    otherFields?: SetUserData,
    options?: MoralisCallbacks<MoralisUser>,
  ) => Promise<MoralisUser | undefined>
  login: (username: string, password: string, options?: LoginOptions) => Promise<MoralisUser | undefined>
  logout: (options?: MoralisCallbacks<void>) => Promise<void>
  auth: Authentication
  authError: AuthError | null
  isAuthenticated: boolean
  isUnauthenticated: boolean
  isAuthenticating: boolean
  hasAuthError: boolean
  isLoggingOut: boolean
  isAuthUndefined: boolean

  user: MoralisUser<Attributes> | null
  setUserData: (data: SetUserData, options?: MoralisCallbacks<MoralisUser>) => Promise<MoralisUser | undefined>
  refetchUserData: (options?: MoralisCallbacks<MoralisUser>) => Promise<MoralisUser | undefined>
  _setUser: (user: MoralisUser) => void
  userError: Error | null
  isUserUpdating: boolean

  enableWeb3: (options?: Web3EnableOptions) => Promise<MoralisWeb3Provider | undefined>
  deactivateWeb3: () => Promise<void>
  web3EnableError: Error | null
  isWeb3EnableLoading: boolean
}

/**
 * What the older names share; null outside `<MoralisProvider>`.
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
