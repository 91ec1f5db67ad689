import type { Client } from '../Client.ts'
import { askProvider } from './askProvider.ts'
import type { Chain } from './Chain.ts'
import { openPrompt } from './openPrompt.ts'
import { requireProvider } from './requireProvider.ts'
import { toChainParameter } from './toChainParameter.ts'

/** Asks the connected wallet to take up a chain (EIP-3085). */
export async function askForChain(client: Client, chain: Chain, signal: AbortSignal | undefined): Promise<void> {
  const parameter = toChainParameter(chain)
  const provider = requireProvider(client)
  await openPrompt(client, ['addChain', chain.id], signal, (prompt) =>
    askProvider(provider, 'wallet_addEthereumChain', [parameter], prompt.signal),
  )
}
