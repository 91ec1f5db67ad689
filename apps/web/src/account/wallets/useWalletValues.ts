import type { Wallet } from '@countersign/react/account'
import { useMemo } from 'react'
import { gatherHoldings } from '../../chain/gatherHoldings.ts'
import { keepOwnChains, usePortfolios } from '../../chain/usePortfolios.ts'

type WalletValues = {
  status: 'pending' | 'error' | 'success'
  /** In dollars, of assets with a price; absent if none has one, or nothing can be read. */
  total?: bigint
  valueOf: (address: string) => bigint | undefined
  refetch: () => void
}

/** Value of wallets, in total and each. Solana wallets have no prices here and do not count. */
export function useWalletValues(wallets: readonly Wallet[]): WalletValues {
  const addresses = wallets
    .filter(({ namespace }) => namespace !== 'solana')
    .map(({ address }) => address.toLowerCase())
  const portfolios = usePortfolios([...new Set(addresses)])
  const data = portfolios.status === 'success' ? portfolios.data : undefined
  const { total, values } = useMemo(() => {
    const own = keepOwnChains(data ?? [], wallets)
    return {
      total: sumValue(own),
      values: new Map(own.map((portfolio) => [portfolio.address.toLowerCase(), sumValue([portfolio])])),
    }
  }, [data, wallets])
  return {
    status: portfolios.status,
    ...(total !== undefined && { total }),
    valueOf: (address) => values.get(address.toLowerCase()),
    refetch: portfolios.refetch,
  }
}

/** A sum of nothing is zero only where everything could be read and priced. */
function sumValue(portfolios: Parameters<typeof gatherHoldings>[0]): bigint | undefined {
  const { total, unpriced } = gatherHoldings(portfolios)
  const chains = portfolios.flatMap((portfolio) => portfolio.chains)
  const isKnown = chains.length > 0 && unpriced === 0 && chains.every(({ error }) => error === undefined)
  return total > 0n || isKnown ? total : undefined
}
