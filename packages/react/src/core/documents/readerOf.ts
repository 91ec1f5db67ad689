import type { Client } from '../Client.ts'

/** Who reads documents now: a user, or nobody in particular. Undefined while that is not known. */
export function readerOf({ internal, session, initialization }: Client): string | undefined {
  if (initialization.get().status !== 'ready') return undefined
  const state = session.get()
  if ('user' in state && state.user) return `user ${state.user.objectId}`
  // Another tab has signed in as someone else, and the server has not yet said who.
  return internal.current ? undefined : 'guest'
}
