import type { Client } from '../Client.ts'
import { hasEvents } from '../hasEvents.ts'
import { findLocalStorage } from '../storage.ts'
import { followStorage } from './followStorage.ts'
import { sessionKey } from './storedSession.ts'

/** Follows what other tabs do with the session, for as long as the page lives. */
export function watchStorage(client: Client): void {
  const { internal } = client
  const area = findLocalStorage()
  if (internal.watching || !area || !hasEvents() || (internal.options.storage && internal.options.storage !== area))
    return
  internal.watching = true
  window.addEventListener('storage', (event) => {
    if (event.storageArea !== null && event.storageArea !== area) return
    const appId = internal.connection?.appId
    // A null key means that the whole storage was cleared.
    if (appId !== undefined && (event.key === null || event.key === sessionKey(appId))) void followStorage(client)
  })
  // A page that comes back from the back-forward cache has missed the events of its absence.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) void followStorage(client)
  })
}
