import { startWallet } from '../actions/startWallet.ts'
import type { Client } from '../Client.ts'
import { hasEvents } from '../hasEvents.ts'
import { disconnected } from './disconnected.ts'
import { expectsWallet } from './expectsWallet.ts'

const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown'] as const

/**
 * Starts the wallet layer at once where a wallet is remembered, otherwise at the first sign of a person: a page that is
 * only looked at does not fetch it, and it is there when somebody clicks.
 */
export function startWalletSoon(client: Client): void {
  const { internal } = client
  if (internal.startingWallet || expectsWallet(client) || !hasEvents()) {
    void startWallet(client)
    return
  }
  internal.wallet.set(disconnected)
  const start = () => {
    for (const sign of signs) window.removeEventListener(sign, start, true)
    void startWallet(client)
  }
  for (const sign of signs) window.addEventListener(sign, start, { capture: true, passive: true })
}
