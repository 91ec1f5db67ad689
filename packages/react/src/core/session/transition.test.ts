import { CountersignError } from '@countersign/protocol'
import { describe, expect, test } from 'vitest'
import type { SessionState } from '../state/SessionState.ts'
import { toSnapshot } from '../values/decode.ts'
import type { User } from '../values/User.ts'
import { type SessionEvent, transition } from './transition.ts'

const ada = toSnapshot<User>({ objectId: 'a', username: 'ada' })
const bob = toSnapshot<User>({ objectId: 'b', username: 'bob' })
const oldError = new CountersignError('ObjectNotFound', 'old')
const newError = new CountersignError('ObjectNotFound', 'new')

const states = {
  undefined: { status: 'undefined' },
  unauthenticated: { status: 'unauthenticated' },
  authenticating: { status: 'authenticating', operation: 'signIn' },
  'authenticating ada': { status: 'authenticating', operation: 'signIn', user: ada },
  'authenticated ada': { status: 'authenticated', user: ada },
  error: { status: 'error', error: oldError },
  'error ada': { status: 'error', error: oldError, user: ada },
} satisfies Record<string, SessionState>

const outcomes = {
  ...states,
  'verifying bob': { status: 'undefined', user: bob, isVerifying: true },
  'authenticating bob': { status: 'authenticating', operation: 'signIn', user: bob },
  'signing out': { status: 'authenticating', operation: 'signOut' },
  'signing out ada': { status: 'authenticating', operation: 'signOut', user: ada },
  restoring: { status: 'authenticating', operation: 'restore' },
  'authenticated bob': { status: 'authenticated', user: bob },
  'error bob': { status: 'error', error: oldError, user: bob },
  'new error': { status: 'error', error: newError },
  'new error ada': { status: 'error', error: newError, user: ada },
} satisfies Record<string, SessionState>

const events = {
  signInStarted: { type: 'signInStarted' },
  signedIn: { type: 'signedIn', user: bob },
  signInFailed: { type: 'signInFailed', error: newError },
  signOutStarted: { type: 'signOutStarted' },
  signedOut: { type: 'signedOut' },
  signOutFailed: { type: 'signOutFailed', error: newError },
  restoreFailed: { type: 'restoreFailed', error: newError },
  sessionReplaced: { type: 'sessionReplaced' },
  sessionEnded: { type: 'sessionEnded' },
  verifying: { type: 'verifying', user: bob },
  userChanged: { type: 'userChanged', user: bob },
} satisfies Record<SessionEvent['type'], SessionEvent>

type From = keyof typeof states
type To = keyof typeof outcomes

const table: Record<keyof typeof events, Record<From, To>> = {
  signInStarted: {
    undefined: 'authenticating',
    unauthenticated: 'authenticating',
    authenticating: 'authenticating',
    'authenticating ada': 'authenticating ada',
    'authenticated ada': 'authenticating ada',
    error: 'authenticating',
    'error ada': 'authenticating ada',
  },
  signedIn: {
    undefined: 'authenticated bob',
    unauthenticated: 'authenticated bob',
    authenticating: 'authenticated bob',
    'authenticating ada': 'authenticated bob',
    'authenticated ada': 'authenticated bob',
    error: 'authenticated bob',
    'error ada': 'authenticated bob',
  },
  signInFailed: {
    undefined: 'new error',
    unauthenticated: 'new error',
    authenticating: 'new error',
    'authenticating ada': 'new error',
    'authenticated ada': 'new error',
    error: 'new error',
    'error ada': 'new error',
  },
  signOutStarted: {
    undefined: 'signing out',
    unauthenticated: 'signing out',
    authenticating: 'signing out',
    'authenticating ada': 'signing out ada',
    'authenticated ada': 'signing out ada',
    error: 'signing out',
    'error ada': 'signing out ada',
  },
  signedOut: {
    undefined: 'unauthenticated',
    unauthenticated: 'unauthenticated',
    authenticating: 'unauthenticated',
    'authenticating ada': 'unauthenticated',
    'authenticated ada': 'unauthenticated',
    error: 'unauthenticated',
    'error ada': 'unauthenticated',
  },
  signOutFailed: {
    undefined: 'new error',
    unauthenticated: 'new error',
    authenticating: 'new error',
    'authenticating ada': 'new error ada',
    'authenticated ada': 'new error ada',
    error: 'new error',
    'error ada': 'new error ada',
  },
  restoreFailed: {
    undefined: 'new error',
    unauthenticated: 'new error',
    authenticating: 'new error',
    'authenticating ada': 'new error',
    'authenticated ada': 'new error',
    error: 'new error',
    'error ada': 'new error',
  },
  sessionReplaced: {
    undefined: 'restoring',
    unauthenticated: 'restoring',
    authenticating: 'restoring',
    'authenticating ada': 'restoring',
    'authenticated ada': 'restoring',
    error: 'restoring',
    'error ada': 'restoring',
  },
  sessionEnded: {
    undefined: 'unauthenticated',
    unauthenticated: 'unauthenticated',
    authenticating: 'authenticating',
    'authenticating ada': 'authenticating',
    'authenticated ada': 'unauthenticated',
    error: 'error',
    'error ada': 'unauthenticated',
  },
  verifying: {
    undefined: 'verifying bob',
    unauthenticated: 'unauthenticated',
    authenticating: 'authenticating',
    'authenticating ada': 'authenticating ada',
    'authenticated ada': 'authenticated ada',
    error: 'error',
    'error ada': 'error ada',
  },
  userChanged: {
    undefined: 'undefined',
    unauthenticated: 'unauthenticated',
    authenticating: 'authenticating',
    'authenticating ada': 'authenticating bob',
    'authenticated ada': 'authenticated bob',
    error: 'error',
    'error ada': 'error bob',
  },
}

const rows = Object.entries(table).flatMap(([event, moves]) =>
  Object.entries(moves).map(([from, to]) => [event, from, to] as [keyof typeof events, From, To]),
)

describe('R4: every event in every state', () => {
  test.each(rows)('%s in "%s" leads to "%s"', (event, from, to) => {
    const before = structuredClone({ ...states[from], error: undefined, user: undefined })
    expect(transition(states[from], events[event])).toEqual(outcomes[to])
    expect({ ...states[from], error: undefined, user: undefined }).toEqual(before)
  })
})

test('an unchanged state keeps its identity, so that nothing renders again', () => {
  const { unauthenticated } = states
  expect(transition(unauthenticated, events.signedOut)).toBe(unauthenticated)
  expect(transition(unauthenticated, events.sessionEnded)).toBe(unauthenticated)
  expect(transition(states['authenticated ada'], { type: 'userChanged', user: ada })).toBe(states['authenticated ada'])
})
