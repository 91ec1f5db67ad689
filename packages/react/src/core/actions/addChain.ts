import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import { askProvider } from '../wallet/askProvider.ts'
import type { Chain } from '../wallet/Chain.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { requireProvider } from '../wallet/requireProvider.ts'
import { toChainParameter } from '../wallet/toChainParameter.ts'

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
    const parameter = toChainParameter(chain)
    const provider = requireProvider(client)
    await openPrompt(client, ['addChain', chain.id], callbacks.signal, ({ signal }) =>
      askProvider(provider, 'wallet_addEthereumChain', [parameter], signal),
    )
  })
}
