import type { Client } from '../Client.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'
import { missingWallet } from './missingWallet.ts'

/** The JSON-RPC of the connected wallet. */
export function requireProvider({ internal }: Client): Eip1193Provider {
  const state = internal.wallet.get()
  if (state.status !== 'connected' || !state.provider) throw missingWallet()
  return state.provider
}
