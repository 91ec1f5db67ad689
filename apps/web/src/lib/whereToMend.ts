import type { Activity } from '@countersign/react'

const byWallet = new Set(['eip155', 'solana', 'moralisEth', 'moralisSol'])

/** Where a way in that somebody else used is taken from them. */
export function whereToMend({ details }: Activity): { to: string; act: string } {
  const means = details.authProvider
  if (typeof means === 'string' && byWallet.has(means))
    return { to: '/account/wallets', act: 'remove the wallet that was used' }
  if (means === 'passkey') return { to: '/account/security', act: 'remove the passkey that was used' }
  if (means === 'recovery') return { to: '/account/security', act: 'make new recovery codes and change your password' }
  return { to: '/account/security', act: 'change your password' }
}
