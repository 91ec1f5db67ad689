import type { Client } from '../client/Client.ts'
import type { Chain } from '../state/Connector.ts'

/**
 * Chain of the client's `chains` whose node is used if the connected wallet is on another chain or missing. Without
 * `chainId` the first, once it is certain that no wallet reconnects.
 */
export function findNode({ internal }: Client, chainId: number | undefined): Chain | undefined {
  const wallet = internal.wallet.get()
  if (wallet.status === 'connected' && wallet.provider && (chainId ?? wallet.chainId) === wallet.chainId)
    return undefined
  if (chainId === undefined && wallet.status !== 'disconnected') return undefined
  return internal.options.chains?.find(({ id, rpcUrls }) => (chainId ?? id) === id && rpcUrls[0])
}
