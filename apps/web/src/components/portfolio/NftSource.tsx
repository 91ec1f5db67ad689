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
  const { status, loadMore, refetch } = nfts
  const rows = nfts.status === 'success' ? nfts.data : undefined
  const hasMore = nfts.status === 'success' && nfts.hasMore
  const isFetching = nfts.status === 'success' && nfts.isFetching
  const total = nfts.status === 'success' ? nfts.total : undefined
  const block = nfts.status === 'success' ? nfts.at.block : undefined
  const source = nfts.status === 'success' ? nfts.at.source : undefined
  const error = nfts.status === 'error' ? nfts.error : undefined
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
      ...(block && source && { at: { chain, block, source } }),
    })
  }, [onState, key, address, chain, status, rows, hasMore, isFetching, total, block, source, error, loadMore, refetch])
  useEffect(() => () => onState(key, undefined), [onState, key])
  return null
}
