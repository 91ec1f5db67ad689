import type { Client } from '../Client.ts'
import { ProviderError } from '../errors/ProviderError.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { askProvider } from './askProvider.ts'
import { openPrompt } from './openPrompt.ts'
import { requireProvider } from './requireProvider.ts'
import { toChainParameter } from './toChainParameter.ts'

/** Asks the connected wallet to go to a chain, and tells it of the chain first where it does not know it. */
export async function askToSwitch(client: Client, chainId: number, signal: AbortSignal | undefined): Promise<void> {
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new ValidationError('chainId can only be a number type')
  const provider = requireProvider(client)
  await openPrompt(client, ['switchChain', chainId], signal, async (prompt) => {
    const ask = (method: string, parameter: object) => askProvider(provider, method, [parameter], prompt.signal)
    const wanted = { chainId: `0x${chainId.toString(16)}` }
    try {
      await ask('wallet_switchEthereumChain', wanted)
    } catch (error) {
      const chain = client.internal.options.chains?.find(({ id }) => id === chainId)
      if (!isUnknownChain(error) || !chain) throw error
      await ask('wallet_addEthereumChain', toChainParameter(chain))
      await ask('wallet_switchEthereumChain', wanted)
    }
  })
}

function isUnknownChain(error: unknown): boolean {
  const { cause } = Object(error)
  if (!(cause instanceof ProviderError)) return false
  return cause.code === 4902 || Object(Object(cause.data).originalError).code === 4902
}
