import { useSyncExternalStore } from 'react'
import type { Connector } from '../core/wallet/Connector.ts'
import { useClient } from './useClient.ts'

const none: readonly Connector[] = []

/**
 * The wallets that can be picked now; wallets that make themselves known later appear by themselves.
 *
 * @example
 * const { connectWallet } = useConnectWallet()
 * return useConnectors().map((connector) => (
 *   <button key={connector.id} onClick={() => connectWallet({ connector })}>{connector.name}</button>
 * ))
 */
export function useConnectors(): readonly Connector[] {
  const { connectors } = useClient()
  return useSyncExternalStore(connectors.subscribe, connectors.get, () => none)
}
