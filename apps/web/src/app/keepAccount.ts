import type { Client } from '@countersign/react'
import { registerWorker } from '../config/worker.ts'

/** Readings of the account screens and the overview, by request or by the first part of the key. */
const readings = [
  'accessTokens',
  'getAccountSecurity',
  'getSolanaPortfolio',
  'listActivity',
  'listChains',
  'listSessions',
  'listSignInMethods',
  'portfolios',
  'priceChanges',
  'value',
]

/** Returns true if this browser had a session when it was left. */
export function hadSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => /^Countersign\/.+\/session$/.test(key))
  } catch {
    return false
  }
}

const kept = new WeakSet<Client>()

/** Keeps what the account screens show on this device, until the user signs out. Without it they need the server. */
export async function keepAccount(client: Client): Promise<void> {
  if (kept.has(client)) return
  kept.add(client)
  try {
    const { offline } = await import('@countersign/react/offline')
    offline({ classes: [], readings })(client)
  } catch {
    kept.delete(client)
  }
}

/** The same once somebody signs in; registers the worker that opens the application without a network, too. */
export function watchAccount(client: Client): void {
  const look = () => {
    const { status } = client.session.get()
    if (status === 'authenticating') void keepAccount(client)
    if (status === 'authenticated') {
      stop()
      void keepAccount(client)
      void registerWorker()
    }
  }
  const stop = client.session.subscribe(look)
  look()
}
