import type { Session } from '@countersign/react'
import { say } from './say.ts'

/** How a session was opened, in a word or two that a time can follow. */
export function describeOrigin(createdWith: Session['createdWith']): string {
  if (createdWith?.action === 'signup') return say('Account created')
  if (createdWith?.action === 'create') return say('Opened by an application')
  if (createdWith?.action !== 'login') return say('Opened')
  switch (createdWith.authProvider) {
    case 'password':
      return say('Signed in with password')
    case 'passkey':
      return say('Signed in with passkey')
    case 'recovery':
      return say('Signed in with a recovery code')
    case 'eip155':
    case 'solana':
    case 'moralisEth':
    case 'moralisSol':
      return say('Signed in with wallet')
    default:
      return say('Signed in')
  }
}
