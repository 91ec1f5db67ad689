import { getWalletsQuery } from '../core/queries/getWalletsQuery.ts'
import type { Wallet } from '../core/Wallet.ts'
import { type UseQuery, useQuery } from './useQuery.ts'

/**
 * The user's wallets. They are read again after one of them changes.
 *
 * @example
 * const wallets = useWallets()
 * if (wallets.status === 'success') return wallets.data.map((wallet) => <p key={wallet.objectId}>{wallet.address}</p>)
 */
export function useWallets(): UseQuery<readonly Wallet[]> {
  return useQuery(getWalletsQuery)
}
