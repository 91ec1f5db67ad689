import { useSyncExternalStore } from 'react'
import type { WalletState } from '../core/wallet/WalletState.ts'
import { useClient } from './useClient.ts'

const unknown: WalletState = { status: 'reconnecting' }

/**
 * The wallet in use: account, chain, connector and provider. Nothing is asked of its owner.
 *
 * @example
 * const wallet = useWallet()
 * if (wallet.status === 'connected') return <p>{wallet.account} on chain {wallet.chainId}</p>
 */
export function useWallet(): WalletState {
  const { wallet } = useClient()
  return useSyncExternalStore(wallet.subscribe, wallet.get, () => unknown)
}
