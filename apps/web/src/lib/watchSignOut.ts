import type { Client } from '@countersign/react/core'
import { expectedSignOut } from './expectedSignOut.ts'

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
