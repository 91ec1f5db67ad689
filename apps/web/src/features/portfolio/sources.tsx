import { type CountersignError, type Nft, useNfts, useTransfers } from '@countersign/react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { TransferPages } from '../../chain/mergeTransfers.ts'

/** What several components reported, each of its source, by key. The same list until one reports again. */
export function useSourceStates<State>(): [readonly State[], (key: string, state: State | undefined) => void] {
  const [states, setStates] = useState<ReadonlyMap<string, State>>(new Map())
  const tell = useCallback((key: string, state: State | undefined) => {
    setStates((before) => {
      const after = new Map(before)
      if (state) after.set(key, state)
      else after.delete(key)
      return after
    })
  }, [])
  return [useMemo(() => [...states.values()], [states]), tell]
}

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

type NftSourceProps = { address: string; chain: number; onState: (key: string, state: NftState | undefined) => void }

/** Reads the collectibles of one wallet on one chain, and shows nothing itself. */
export function NftSource({ address, chain, onState }: NftSourceProps) {
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

/** A wallet as it is on one chain. */
export type WalletOnChain = { address: string; chain: number; chainName: string }
