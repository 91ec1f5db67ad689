import type { Avatar } from '../core/chainData/ChainData.ts'
import type { AddressInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChain, useOnChain } from './useOnChain.ts'

/**
 * The name that an address goes by, with its picture; null where it has none. The wallet's address unless one is given,
 * on `eth` unless another chain is.
 *
 * @example
 * const name = useName({ address })
 * return <p>{name.status === 'success' && name.data ? name.data.name : shortenAddress(address)}</p>
 */
export function useName(
  input: AddressInput & ReadOptions = {},
): UseOnChain<{ readonly name: string; readonly avatar?: Avatar } | null> {
  return useOnChain('getNameOf', input)
}
