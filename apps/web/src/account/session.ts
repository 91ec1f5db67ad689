import type { User } from '@countersign/react'
import {
  type Client,
  defineQuery,
  getLiveState,
  type SessionState,
  subscribeToDocuments,
} from '@countersign/react/core'
import { untilReachable } from '../config/serverReach.ts'

/** Signed-in user, also during a sign-out or after it failed. */
export function findSessionUser(session: SessionState): User | undefined {
  return 'user' in session ? session.user : undefined
}

let expected = false

/** Distinguishes a sign-out requested in this tab from one elsewhere. Valid until the next sign-in. */
export const expectedSignOut = {
  begin() {
    expected = true
  },
  end() {
    expected = false
  },
  get: () => expected,
}

/** Calls back when a session ends that nobody ended in this tab. Returns its own unsubscribe. */
export function watchSignOut(client: Client, onSignedOut: () => void): () => void {
  let before = client.session.get().status
  return client.session.subscribe(() => {
    const now = client.session.get().status
    if (before === 'authenticated' && now === 'unauthenticated' && !expectedSignOut.get()) onSignedOut()
    if (before !== 'authenticated' && now === 'authenticated') expectedSignOut.end()
    before = now
  })
}

/**
 * Keeps the live connection of a signed-in page open: the server ends it with the session, and a sign-out elsewhere shows
 * here at once. A lost connection may mean that the server is away. Returns its own unsubscribe.
 */
export function followSession(client: Client, userId: string): () => void {
  const query = defineQuery('_User', { where: { objectId: userId }, keys: ['objectId'] })
  const live = getLiveState(client)
  const stops = [
    subscribeToDocuments(client, { query, onError: () => {} }),
    live.subscribe(() => {
      if (live.get().status === 'waiting') void untilReachable()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
