import type { Client } from '../client/Client.ts'
import type { Chain } from '../state/Connector.ts'
import { requireProvider } from '../wallet/connection/askProvider.ts'
import { askNode } from '../wallet/connectors/walletLinks.ts'
import type { ChainOptions } from './ChainOptions.ts'
import { findNode } from './findNode.ts'
import { type Ask, checkChain, type OpenChain, openChain } from './openChain.ts'

type RpcCall = { readonly method: string; readonly params?: readonly unknown[] }

export type Reader = {
  readonly chain: OpenChain
  /** The provider, or the configured chain whose node is used. */
  readonly source: object
  /** Chain of the node. A wallet or a provider may change its chain. */
  readonly nodeChain: Chain | undefined
}

/** Chooses what a chain is read by: a provider of your own, the wallet, or a node of the client's `chains`. */
export function findReader(client: Client, choice: ChainOptions): Reader {
  const nodeChain = choice.provider ? undefined : findNode(client, choice.chainId)
  const url = nodeChain?.rpcUrls[0]
  if (!nodeChain || url === undefined) {
    const chain = openChain(client, choice)
    return { chain, source: choice.provider ?? requireProvider(client), nodeChain: undefined }
  }
  const provider = { request: (call: RpcCall) => askNode(url, call) }
  return { chain: openChain(client, { ...choice, provider }), source: nodeChain, nodeChain }
}

/** Opens a chain for reading, and checks that it is the one that was asked for. */
export async function openReader(
  client: Client,
  choice: ChainOptions,
  signal: AbortSignal | undefined,
): Promise<{ readonly ask: Ask; readonly account: string | undefined }> {
  const { chain, nodeChain } = findReader(client, choice)
  const ask = chain.read(signal)
  // A node that the application configured is on the chain that it was configured for.
  if (!nodeChain) await checkChain(ask, choice.chainId)
  return { ask, account: chain.account }
}
