import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Nft, OnChainPage } from '../chainData/ChainData.ts'
import type { NftsInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * A page of the collectibles of an address.
 *
 * @example
 * const first = await listNfts(client, { address, limit: 20 })
 * const second = first?.cursor && (await listNfts(client, { address, limit: 20, cursor: first.cursor }))
 */
export function listNfts(
  client: Client,
  input: NftsInput & { readonly cursor?: string } = {},
  callbacks: Callbacks<OnChainPage<Nft>> = {},
): Promise<OnChainPage<Nft> | undefined> {
  return readChain(client, 'listNfts', input, callbacks)
}
