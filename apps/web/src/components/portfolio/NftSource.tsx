import { type CountersignError, type Nft, useNfts } from '@countersign/react'
import { useEffect } from 'react'

export type NftState = {
  address: string
  chain: number
  status: 'pending' | 'error' | 'success'
  error?: CountersignError
  rows: readonly Nft[]
  total?: number
  hasMore: boolean
  isFetching: boolean
  at?: { chain: number; block: { number: number; timestamp: Date }; source: 'node' | 'cache' | 'index' }
  loadMore: () => Promise<void>
  refetch: () => Promise<void>
}

type Props = { address: string; chain: number; onState: (key: string, state: NftState | undefined) => void }

/** Reads the collectibles of one wallet on one chain, and shows nothing itself. */
export function NftSource({ address, chain, onState }: Props) {
  const nfts = useNfts({ address, chain, limit: 100 })
  const { status, data: rows, error, at, total, loadMore, refetch, hasMore = false, isFetching = false } = nfts
  const key = `${address} ${chain}`
  useEffect(() => {
    onState(key, {
      address,
      chain,
      status,
      rows: rows ?? [],
      hasMore,
      isFetching,
      loadMore,
      refetch,
      ...(total !== undefined && { total }),
      ...(error && { error }),
      ...(at && { at: { ...at, chain } }),
    })
  }, [onState, key, address, chain, status, rows, hasMore, isFetching, total, at, error, loadMore, refetch])
  useEffect(() => () => onState(key, undefined), [onState, key])
  return null
}
