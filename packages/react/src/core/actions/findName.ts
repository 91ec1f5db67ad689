import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Avatar, OnChain } from '../chainData/ChainData.ts'
import type { AddressInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * The name that an address goes by, with its picture; null where it has none. A claim that the name does not confirm counts for nothing.
 *
 * @example
 * const found = await findName(client, { address })
 * console.log(found?.result.name) // 'ada.eth'
 */
export function findName(
  client: Client,
  input: AddressInput = {},
  callbacks: Callbacks<OnChain<{ readonly name: string; readonly avatar?: Avatar }> | null> = {},
): Promise<OnChain<{ readonly name: string; readonly avatar?: Avatar }> | null | undefined> {
  return readChain(client, 'getNameOf', input, callbacks)
}
