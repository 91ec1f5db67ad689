import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import type { Chain } from '../wallet/Chain.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'

/**
 * Tells the connected wallet of a chain (EIP-3085); most wallets change to it at once.
 *
 * @example
 * await addChain(client, {
 *   id: 8453,
 *   name: 'Base',
 *   nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
 *   rpcUrls: ['https://mainnet.base.org'],
 * })
 */
export function addChain(client: Client, chain: Chain, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { askForChain } = await loadWalletLayer()
    await askForChain(client, chain, callbacks.signal)
  })
}
