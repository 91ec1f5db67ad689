import type { Activity } from '@countersign/react'
import { say } from './say.ts'

const byWallet = new Set(['eip155', 'solana', 'moralisEth', 'moralisSol'])

type Mending = {
  to: string
  /** What will have to be done. */
  plan: string
  /** What is to be done now. */
  next: string
}

/** Where a way in that somebody else used is taken from them. */
export function whereToMend({ details }: Activity): Mending {
  const means = details.authProvider
  if (typeof means === 'string' && byWallet.has(means))
    return {
      to: '/account/wallets',
      plan: say('After that, unlink the wallet that was used, so that it cannot come back.'),
      next: say('That device is signed out. Now unlink the wallet that was used.'),
    }
  const to = '/account/security'
  if (means === 'passkey')
    return {
      to,
      plan: say('After that, remove the passkey that was used, so that it cannot come back.'),
      next: say('That device is signed out. Now remove the passkey that was used.'),
    }
  if (means === 'recovery')
    return {
      to,
      plan: say('After that, make new recovery codes and change your password, so that it cannot come back.'),
      next: say('That device is signed out. Now make new recovery codes and change your password.'),
    }
  return {
    to,
    plan: say('After that, change your password, so that it cannot come back.'),
    next: say('That device is signed out. Now change your password.'),
  }
}
