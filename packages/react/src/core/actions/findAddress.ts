import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { OnChain } from '../chainData/ChainData.ts'
import type { AddressOfInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * The address that a name stands for; null where it stands for none.
 *
 * @example
 * const found = await findAddress(client, { name: 'ada.eth' })
 * console.log(found?.result.address)
 */
export function findAddress(
  client: Client,
  input: AddressOfInput,
  callbacks: Callbacks<OnChain<{ readonly name: string; readonly address: string }> | null> = {},
): Promise<OnChain<{ readonly name: string; readonly address: string }> | null | undefined> {
  return readChain(client, 'resolveName', input, callbacks)
}
