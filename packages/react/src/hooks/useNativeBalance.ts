import type { NativeBalance } from '../core/chainData/ChainData.ts'
import type { NativeBalanceInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChain, useOnChain } from './useOnChain.ts'

/**
 * What an address has of a chain's own coin: the wallet's, unless one is given.
 *
 * @example
 * const balance = useNativeBalance()
 * if (balance.status === 'success') return <p>{formatUnits(balance.data.balance, balance.data.decimals)} {balance.data.symbol}</p>
 */
export function useNativeBalance(input: NativeBalanceInput & ReadOptions = {}): UseOnChain<NativeBalance> {
  return useOnChain('getNativeBalance', input)
}
