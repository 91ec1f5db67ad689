import type { TokenBalance } from '../core/chainData/ChainData.ts'
import type { TokenBalancesInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChain, useOnChain } from './useOnChain.ts'

/**
 * The ERC-20 tokens of an address: the wallet's, unless one is given.
 *
 * @example
 * const tokens = useTokenBalances({ chain: 'polygon' })
 * if (tokens.status === 'success') return tokens.data.map(({ token, symbol }) => <p key={token}>{symbol}</p>)
 */
export function useTokenBalances(input: TokenBalancesInput & ReadOptions = {}): UseOnChain<readonly TokenBalance[]> {
  return useOnChain('listTokenBalances', input)
}
