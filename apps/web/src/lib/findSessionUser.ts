import type { SessionState, User } from '@countersign/react'

/** Who is signed in, also while a sign-out is under way or after it failed. */
export function findSessionUser(session: SessionState): User | undefined {
  return 'user' in session ? session.user : undefined
}
