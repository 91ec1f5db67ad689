import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import type { SessionState } from '../state/SessionState.ts'
import type { User } from '../values/User.ts'

export type SessionEvent =
  /** Sign-up or sign-in begins. */
  | { readonly type: 'signInStarted' }
  | { readonly type: 'signInFailed'; readonly error: CountersignError }
  | { readonly type: 'signedIn'; readonly user: User }
  | { readonly type: 'signOutStarted' }
  | { readonly type: 'signOutFailed'; readonly error: CountersignError }
  | { readonly type: 'signedOut' }
  /** The stored session could not be checked, and that was not for want of a connection. */
  | { readonly type: 'restoreFailed'; readonly error: CountersignError }
  /** Another tab signed in as someone else; the server is asked for the user. */
  | { readonly type: 'sessionReplaced' }
  /** The server no longer knows the session, or another tab signed out. */
  | { readonly type: 'sessionEnded' }
  | { readonly type: 'userChanged'; readonly user: User }
  /** A session is stored; the server is being asked whether it lives. */
  | { readonly type: 'verifying'; readonly user: User }

/** Every move of the session state. States that do not change keep their identity. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'signInStarted':
      return withUser({ status: 'authenticating', operation: 'signIn' }, state.user)
    case 'signOutStarted':
      return withUser({ status: 'authenticating', operation: 'signOut' }, state.user)
    case 'signedIn':
      return { status: 'authenticated', user: event.user }
    case 'signedOut':
      return state.status === 'unauthenticated' ? state : { status: 'unauthenticated' }
    case 'signInFailed':
    case 'restoreFailed':
      return { status: 'error', error: event.error }
    case 'signOutFailed':
      return withUser({ status: 'error', error: event.error }, state.user)
    case 'sessionReplaced':
      return { status: 'authenticating', operation: 'restore' }
    case 'sessionEnded':
      return endSession(state)
    case 'verifying':
      return state.status === 'undefined' ? { status: 'undefined', user: event.user, isVerifying: true } : state
    case 'userChanged':
      return changeUser(state, event.user)
  }
}

function endSession(state: SessionState): SessionState {
  // A sign-in under way decides for itself where it ends; only the user of the dead session goes.
  if (state.status === 'authenticating')
    return state.user ? { status: 'authenticating', operation: state.operation } : state
  if (state.status === 'unauthenticated' || (state.status === 'error' && !state.user)) return state
  return { status: 'unauthenticated' }
}

function changeUser(state: SessionState, user: User): SessionState {
  if (!state.user || state.user === user) return state
  return { ...state, user } as SessionState
}

function withUser(state: SessionState, user: User | undefined): SessionState {
  return user ? ({ ...state, user } as SessionState) : state
}

export function moveSession({ internal }: Client, event: SessionEvent): void {
  internal.session.set(transition(internal.session.get(), event))
}
