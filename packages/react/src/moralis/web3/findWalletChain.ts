import type { Chain } from '../../core/wallet/Chain.ts'
import { getChain } from './chains.ts'

/** As the core tells wallets of a chain; none where it has no node any more. */
export function findWalletChain(chainId: string): Chain | undefined {
  const { networkId, name, nativeCurrency, rpc, blockExplorerUrl } = getChain(chainId) ?? {}
  if (!networkId || !name || !nativeCurrency || !rpc?.length) return undefined
  const explorer = blockExplorerUrl ? { blockExplorerUrls: [blockExplorerUrl] } : {}
  return { id: networkId, name, nativeCurrency, rpcUrls: rpc, ...explorer }
}
