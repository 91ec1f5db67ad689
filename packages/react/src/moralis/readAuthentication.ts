import type { InitializationState } from '../core/InitializationState.ts'
import type { SessionState } from '../core/SessionState.ts'
import { toMoralisError } from './errors/toMoralisError.ts'
import type { Authentication, MoralisContextValue } from './MoralisContext.ts'

type Flags = Pick<
  MoralisContextValue,
  | 'auth'
  | 'authError'
  | 'isAuthenticated'
  | 'isUnauthenticated'
  | 'isAuthenticating'
  | 'isAuthUndefined'
  | 'isLoggingOut'
  | 'hasAuthError'
>

/** The session as the older context told it (R4). A failed initialization is its error, since nothing can go on. */
export function readAuthentication(
  initialization: InitializationState,
  session: SessionState,
  isLoggingOut: boolean,
): Flags {
  const auth = read(initialization, session)
  return {
    auth,
    authError: auth.error,
    isAuthenticated: auth.state === 'authenticated',
    isUnauthenticated: auth.state === 'unauthenticated',
    isAuthenticating: auth.state === 'authenticating',
    isAuthUndefined: auth.state === 'undefined',
    isLoggingOut: isLoggingOut && auth.state === 'authenticating',
    hasAuthError: auth.state === 'error',
  }
}

function read(initialization: InitializationState, session: SessionState): Authentication {
  if (session.status === 'error') return { state: 'error', error: toMoralisError(session.error) }
  if (session.status === 'undefined' && initialization.status === 'error') {
    return { state: 'error', error: toMoralisError(initialization.error) }
  }
  return { state: session.status, error: null }
}
