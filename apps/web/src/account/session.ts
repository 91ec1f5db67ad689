import type { User } from '@countersign/react'
import type { Client, SessionState } from '@countersign/react/core'

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
