import type { Transaction } from '../core/chainData/ChainData.ts'
import type { TransactionsInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChainPages, useOnChainPages } from './useOnChainPages.ts'

/**
 * The transactions that an address sent or received, the newest first: the wallet's, unless one is given.
 *
 * @example
 * const transactions = useTransactions({ limit: 20 })
 * if (transactions.status === 'success' && transactions.hasMore) return <button onClick={transactions.loadMore}>More</button>
 */
export function useTransactions(input: TransactionsInput & ReadOptions = {}): UseOnChainPages<Transaction> {
  const { reading: _, ...pages } = useOnChainPages<Transaction>('listTransactions', input)
  return pages
}
