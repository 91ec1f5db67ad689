import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'

export type SwitchChainInput = { readonly chainId: number }

/**
 * Asks the connected wallet to change to a chain. One that the wallet does not know (4902) is added first, if it is among
 * the client's `chains`.
 *
 * @example
 * await switchChain(client, { chainId: 8453 })
 */
export function switchChain(client: Client, input: SwitchChainInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { askToSwitch } = await loadWalletLayer()
    await askToSwitch(client, input.chainId, callbacks.signal)
  })
}
