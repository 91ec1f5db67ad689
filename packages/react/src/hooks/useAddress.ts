import type { AddressOfInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChain, useOnChain } from './useOnChain.ts'

/**
 * The address that a name stands for; null where it stands for none. Nothing is read while there is no input.
 *
 * @example
 * const found = useAddress({ name: 'ada.eth' })
 * if (found.status === 'success') return <p>{found.data?.address ?? 'nobody'}</p>
 */
export function useAddress(
  input: (AddressOfInput & ReadOptions) | undefined,
): UseOnChain<{ readonly name: string; readonly address: string } | null> {
  return useOnChain('resolveName', input)
}
