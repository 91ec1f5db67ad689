import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import type { Chain } from '../state/Connector.ts'
import { loadWalletLayer } from './loadWalletLayer.ts'

export type SwitchChainInput = { readonly chainId: number }

/**
 * Asks the connected wallet to change to a chain. A chain that the wallet lacks (4902) is added first, if it is among
 * the client's `chains`.
 *
 * @example
 * await switchChain(client, { chainId: 8453 })
 */
export function switchChain(client: Client, input: SwitchChainInput, { signal }: ActionOptions = {}): Promise<void> {
  return runAction(client, async () => {
    const { askToSwitch } = await loadWalletLayer()
    await askToSwitch(client, input.chainId, signal)
  })
}

/**
 * Adds a chain to the connected wallet (EIP-3085); most wallets switch to it immediately.
 *
 * @example
 * await addChain(client, {
 *   id: 8453,
 *   name: 'Base',
 *   nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
 *   rpcUrls: ['https://mainnet.base.org'],
 * })
 */
export function addChain(client: Client, chain: Chain, { signal }: ActionOptions = {}): Promise<void> {
  return runAction(client, async () => {
    const { askForChain } = await loadWalletLayer()
    await askForChain(client, chain, signal)
  })
}
