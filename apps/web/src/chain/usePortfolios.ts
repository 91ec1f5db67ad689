import { type CountersignError, useClient } from '@countersign/react'
import type { Wallet } from '@countersign/react/account'
import type { Portfolio } from '@countersign/react/chain'
import { getPortfolio } from '@countersign/react/core'
import { useCallback, useEffect, useRef, useState } from 'react'

type Portfolios =
  | { status: 'pending' }
  | { status: 'error'; error: CountersignError }
  | { status: 'success'; data: readonly Portfolio[]; isFetching: boolean }

/** Portfolios of several addresses together. Known data stays visible during a refresh. */
export function usePortfolios(addresses: readonly string[]): Portfolios & { refetch: () => void } {
  const client = useClient()
  const key = addresses.join()
  const [round, setRound] = useState(0)
  const [known, setKnown] = useState<{ key: string; data?: Portfolio[]; error?: CountersignError }>()
  const [isFetching, setFetching] = useState(false)
  const hasData = useRef(false)
  hasData.current = known?.key === key && known.data !== undefined
  useEffect(() => {
    void round
    if (!key) return
    const control = new AbortController()
    setFetching(true)
    const ask = (address: string) => getPortfolio(client, { address }, { signal: control.signal })
    const settle = (outcome: { data: Portfolio[] } | { error: CountersignError }) => {
      if (control.signal.aborted) return
      setFetching(false)
      // A temporary failure does not replace known data.
      if ('data' in outcome || !hasData.current) setKnown({ key, ...outcome })
    }
    Promise.all(key.split(',').map(ask)).then(
      (data) => settle({ data }),
      (error: CountersignError) => settle({ error }),
    )
    return () => control.abort()
  }, [client, key, round])
  const refetch = useCallback(() => {
    setKnown((before) => (before?.error ? undefined : before))
    setRound((before) => before + 1)
  }, [])
  if (!key) return { status: 'success', data: [], isFetching: false, refetch }
  if (known?.key !== key) return { status: 'pending', refetch }
  if (known.error) return { status: 'error', error: known.error, refetch }
  return { status: 'success', data: known.data ?? [], isFetching, refetch }
}

/** A contract is its owner's on its own chain alone: the same address may be somebody else's on another. */
export function keepOwnChains(portfolios: readonly Portfolio[], wallets: readonly Wallet[]): Portfolio[] {
  return portfolios.map((portfolio) => {
    const mine = wallets.filter(({ address }) => address.toLowerCase() === portfolio.address)
    if (mine.some(({ kind, chainId }) => kind !== 'contract' || chainId === undefined)) return portfolio
    const chains = portfolio.chains.filter(({ chain }) => mine.some(({ chainId }) => chainId === String(chain)))
    return { ...portfolio, chains }
  })
}
