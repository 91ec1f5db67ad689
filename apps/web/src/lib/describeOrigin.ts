import type { Session } from '@countersign/react'

/** How a session was opened, in a word or two that a time can follow. */
export function describeOrigin(createdWith: Session['createdWith']): string {
  if (createdWith?.action === 'signup') return 'Account created'
  if (createdWith?.action === 'login')
    return createdWith.authProvider === 'password' ? 'Signed in with password' : 'Signed in'
  if (createdWith?.action === 'create') return 'Opened by an application'
  return 'Opened'
}
