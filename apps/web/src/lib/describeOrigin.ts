import type { Session } from '@countersign/react'

const means = new Map<string | undefined, string>([
  ['password', ' with password'],
  ['passkey', ' with passkey'],
  ['recovery', ' with a recovery code'],
  ['eip155', ' with wallet'],
  ['solana', ' with wallet'],
  ['moralisEth', ' with wallet'],
  ['moralisSol', ' with wallet'],
])

/** How a session was opened, in a word or two that a time can follow. */
export function describeOrigin(createdWith: Session['createdWith']): string {
  if (createdWith?.action === 'signup') return 'Account created'
  if (createdWith?.action === 'login') return `Signed in${means.get(createdWith.authProvider) ?? ''}`
  if (createdWith?.action === 'create') return 'Opened by an application'
  return 'Opened'
}
