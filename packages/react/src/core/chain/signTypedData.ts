import type { Hex, TypedData } from 'viem'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SignTypedDataInput } from './SignTypedDataInput.ts'

const loadSigning = /*#__PURE__*/ loadOnce(() => import('./askTypedSignature.ts'))

/**
 * Has the connected wallet sign typed data (EIP-712), and returns the signature. Call it on a click.
 *
 * @example
 * const signature = await signTypedData(client, {
 *   domain: { name: 'Shop', version: '1', chainId: 1 },
 *   types: { Order: [{ name: 'item', type: 'string' }, { name: 'price', type: 'uint256' }] },
 *   primaryType: 'Order',
 *   message: { item: 'Lamp', price: 5n },
 * })
 */
export function signTypedData<
  const Types extends TypedData | Record<string, unknown>,
  Primary extends keyof Types | 'EIP712Domain',
>(client: Client, input: SignTypedDataInput<Types, Primary>, { signal }: ActionOptions = {}): Promise<Hex> {
  return runAction(client, async () => {
    const { askTypedSignature } = await loadSigning()
    return askTypedSignature(client, input as unknown as SignTypedDataInput, signal)
  })
}
