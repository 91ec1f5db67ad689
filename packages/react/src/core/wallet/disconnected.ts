import type { WalletState } from './WalletState.ts'

/** One and the same object, so that to be disconnected still is no change. */
export const disconnected: WalletState = { status: 'disconnected' }
