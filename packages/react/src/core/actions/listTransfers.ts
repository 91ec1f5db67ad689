import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { OnChainPage, Transfer } from '../chainData/ChainData.ts'
import type { TransfersInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * A page of the transfers of tokens and collectibles from or to an address.
 *
 * @example
 * const received = await listTransfers(client, { address, direction: 'to', kind: 'erc20' })
 */
export function listTransfers(
  client: Client,
  input: TransfersInput & { readonly cursor?: string } = {},
  callbacks: Callbacks<OnChainPage<Transfer>> = {},
): Promise<OnChainPage<Transfer> | undefined> {
  return readChain(client, 'listTransfers', input, callbacks)
}
