import type { Client } from '../Client.ts'
import { disconnected } from './disconnected.ts'
import type { WalletParts } from './WalletParts.ts'
import type { WalletState } from './WalletState.ts'
import { watchMismatch } from './watchMismatch.ts'

/** Changes what is known of the wallet; the state follows from it (R12). */
export function moveWallet(client: Client, changes: WalletParts): void {
  const { internal } = client
  if (!internal.showMismatch) watchMismatch(client)
  internal.walletParts = { ...internal.walletParts, ...changes }
  internal.wallet.set(toState(internal.walletParts))
}

function toState({ attempt, open, error }: WalletParts): WalletState {
  if (attempt?.silent) return { status: 'reconnecting', connector: attempt.connector }
  if (attempt) {
    const { connector, uri, slow, pending } = attempt
    return { status: 'connecting', connector, uri, slow, pending }
  }
  // A wallet that was locked shares no account; it comes back by itself when it is unlocked.
  if (!open || (open.signer && open.accounts.length === 0))
    return error ? { status: 'disconnected', error } : disconnected
  const { connector, accounts, chainId, link } = open
  return { status: 'connected', connector, account: accounts[0], accounts, chainId, provider: link.provider }
}
