import { type Client, refetchUser } from '@countersign/react/core'

const pause = 30_000

/**
 * Asks the server who is signed in when a person comes back to the page: the session may have been ended elsewhere
 * meanwhile, or the record changed. Returns its own unsubscribe.
 */
export function watchReturn(client: Client): () => void {
  let asked = Date.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || Math.abs(Date.now() - asked) < pause) return
    if (client.session.get().status !== 'authenticated') return
    asked = Date.now()
    void refetchUser(client, { onError: () => {} })
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
