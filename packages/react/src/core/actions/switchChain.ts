import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { ProviderError } from '../errors/ProviderError.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { runAction } from '../runAction.ts'
import { askProvider } from '../wallet/askProvider.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { requireProvider } from '../wallet/requireProvider.ts'
import { toChainParameter } from '../wallet/toChainParameter.ts'

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
    const { chainId } = input
    if (!Number.isSafeInteger(chainId) || chainId < 1) throw new ValidationError('chainId can only be a number type')
    const provider = requireProvider(client)
    await openPrompt(client, ['switchChain', chainId], callbacks.signal, async ({ signal }) => {
      const wanted = [{ chainId: `0x${chainId.toString(16)}` }]
      try {
        await askProvider(provider, 'wallet_switchEthereumChain', wanted, signal)
      } catch (error) {
        const chain = client.internal.options.chains?.find(({ id }) => id === chainId)
        if (!isUnknownChain(error) || !chain) throw error
        await askProvider(provider, 'wallet_addEthereumChain', [toChainParameter(chain)], signal)
        await askProvider(provider, 'wallet_switchEthereumChain', wanted, signal)
      }
    })
  })
}

/** 4902, which some wallets put inside the data of another error. */
function isUnknownChain(error: unknown): boolean {
  const { cause } = Object(error)
  if (!(cause instanceof ProviderError)) return false
  return cause.code === 4902 || Object(Object(cause.data).originalError).code === 4902
}
