import type { Client } from '../client/Client.ts'

/** Current reader of documents: a user, or a guest. Undefined while unknown. */
export function readerOf({ internal, session, initialization }: Client): string | undefined {
  const { user } = session.get()
  // Known before the server has confirmed it: data read until then is dropped if the session was another's.
  if (user && internal.connection && internal.current) return `user ${user.objectId}`
  if (user || initialization.get().status !== 'ready') return undefined
  // Another tab has signed in as someone else, who is not known yet.
  return internal.current ? undefined : 'guest'
}

/** Refreshes readings with one of these names. */
export function invalidateReadings({ internal }: Client, ...names: readonly string[]): void {
  for (const { asked, reading } of [...internal.readings.values()]) {
    if (names.some((name) => name in asked)) reading.invalidate()
  }
}
