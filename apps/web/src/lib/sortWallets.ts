import type { Wallet } from '@countersign/react'

/** In the order in which they came, so that none moves under a finger. `primary` names the one that is to be it. */
export function sortWallets(wallets: readonly Wallet[], primary?: string): Wallet[] {
  const wished = wallets.find(({ objectId }) => objectId === primary)
  return wallets
    .map((wallet) => (wallet.namespace === wished?.namespace ? { ...wallet, primary: wallet === wished } : wallet))
    .sort((one, other) => one.linkedAt.getTime() - other.linkedAt.getTime())
}
