import type { TokenPrice } from '../core/chainData/ChainData.ts'
import type { TokenPriceInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChain, useOnChain } from './useOnChain.ts'

/**
 * What a token costs, by the deepest pool on the chain that is known; null where there is none. Nothing is read while
 * there is no input.
 *
 * @example
 * const price = useTokenPrice({ token, chain: 'eth' })
 * if (price.status === 'success') return <p>{price.data?.usd ?? 'unknown'}</p>
 */
export function useTokenPrice(input: (TokenPriceInput & ReadOptions) | undefined): UseOnChain<TokenPrice | null> {
  return useOnChain('getTokenPrice', input)
}
