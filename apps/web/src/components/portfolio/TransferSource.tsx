import { type CountersignError, useTransfers } from '@countersign/react'
import { useEffect } from 'react'
import type { TransferPages } from '../../lib/chain/mergeTransfers.ts'

export type SourceState = TransferPages & {
  status: 'pending' | 'error' | 'success'
  error?: CountersignError
  isSyncing: boolean
  isFetching: boolean
  loadMore: () => Promise<void>
  refetch: () => Promise<void>
}

type Props = {
  address: string
  chain: number
  /** How many at a time. */
  limit: number
  onState: (key: string, state: SourceState | undefined) => void
}

/** Reads and follows the transfers of one wallet on one chain, and shows nothing: the list is of all of them. */
export function TransferSource({ address, chain, limit, onState }: Props) {
  const pages = useTransfers({ address, chain, limit, live: true })
  const { status, data: rows, error, loadMore, refetch, isSyncing = false, isFetching = false } = pages
  const hasMore = pages.hasMore ?? status === 'pending'
  const key = `${address} ${chain}`
  useEffect(() => {
    onState(key, {
      chain,
      status,
      rows: rows ?? [],
      hasMore,
      isSyncing,
      isFetching,
      ...(error && { error }),
      loadMore,
      refetch,
    })
  }, [onState, key, chain, status, rows, hasMore, isSyncing, isFetching, error, loadMore, refetch])
  useEffect(() => () => onState(key, undefined), [onState, key])
  return null
}
