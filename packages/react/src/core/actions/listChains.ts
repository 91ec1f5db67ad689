import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { ChainInfo } from '../chainData/ChainData.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * The chains that the server reads, with their heads and how far they are indexed.
 *
 * @example
 * const chains = await listChains(client)
 * console.log(chains?.map(({ name, head }) => `${name} ${head?.number}`))
 */
export function listChains(
  client: Client,
  callbacks: Callbacks<readonly ChainInfo[]> = {},
): Promise<readonly ChainInfo[] | undefined> {
  return readChain(client, 'listChains', {}, callbacks)
}
