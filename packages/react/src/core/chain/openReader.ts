import type { Client } from '../client/Client.ts'
import { askNode } from '../wallet/connectors/walletLinks.ts'
import type { ChainOptions } from './ChainOptions.ts'
import { findNode } from './findNode.ts'
import { type Ask, checkChain, openChain } from './openChain.ts'

type RpcCall = { readonly method: string; readonly params?: readonly unknown[] }

/** Opens a chain for reading: a provider of your own, the wallet, or a node of the client's `chains`. */
export async function openReader(
  client: Client,
  choice: ChainOptions,
  signal: AbortSignal | undefined,
): Promise<{ readonly ask: Ask; readonly account: string | undefined }> {
  const url = choice.provider ? undefined : findNode(client, choice.chainId)?.rpcUrls[0]
  const node = url === undefined ? undefined : { request: (call: RpcCall) => askNode(url, call) }
  const chain = openChain(client, node ? { ...choice, provider: node } : choice)
  const ask = chain.read(signal)
  // A node that the application configured is on the chain that it was configured for.
  if (!node) await checkChain(ask, choice.chainId)
  return { ask, account: chain.account }
}
