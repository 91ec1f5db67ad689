import type { Client } from '../client/Client.ts'
import type { Chain } from '../state/Connector.ts'

/**
 * The one of the client's `chains` whose node is read by, where the connected wallet is on another chain or there is
 * none. Without `chainId` it is the first, once it is known that no wallet reconnects.
 */
export function findNode({ internal }: Client, chainId: number | undefined): Chain | undefined {
  const wallet = internal.wallet.get()
  if (wallet.status === 'connected' && wallet.provider && (chainId ?? wallet.chainId) === wallet.chainId)
    return undefined
  if (chainId === undefined && wallet.status !== 'disconnected') return undefined
  return internal.options.chains?.find(({ id, rpcUrls }) => (chainId ?? id) === id && rpcUrls[0])
}
