import { listWallets } from '../core/actions/listWallets.ts'
import { getAccountReading } from '../core/readings/getAccountReading.ts'
import type { Wallet } from '../core/Wallet.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * The user's wallets. They are read again after one of them changes.
 *
 * @example
 * const wallets = useWallets()
 * if (wallets.status === 'success') return wallets.data.map((wallet) => <p key={wallet.objectId}>{wallet.address}</p>)
 */
export function useWallets(): UseReading<readonly Wallet[]> {
  return useReading((client) => getAccountReading(client, 'listWallets', listWallets))
}
