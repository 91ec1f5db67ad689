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
  const { status, loadMore, refetch } = pages
  const rows = pages.status === 'success' ? pages.data : undefined
  const hasMore = pages.status === 'success' ? pages.hasMore : pages.status === 'pending'
  const isSyncing = pages.status === 'success' && pages.isSyncing
  const isFetching = pages.status === 'success' && pages.isFetching
  const error = pages.status === 'error' ? pages.error : undefined
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
