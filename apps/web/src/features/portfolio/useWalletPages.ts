import { type CountersignError, useClient } from '@countersign/react'
import type { Nft } from '@countersign/react/chain'
import { type WatchedPages, watchNfts, watchTransfers } from '@countersign/react/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { TransferPages } from '../../chain/mergeTransfers.ts'

/** A wallet as it is on one chain. */
export type WalletOnChain = { address: string; chain: number; chainName: string }

/** Pages of one wallet on one chain, and a function to read more. */
type PagesState = {
  status: 'pending' | 'error' | 'success'
  error?: CountersignError
  hasMore: boolean
  isFetching: boolean
  loadMore: () => Promise<void>
  refetch: () => Promise<void>
}

export type TransfersState = PagesState & TransferPages

/** The transfers of each of these wallets, kept current, `limit` at a time. */
export function useTransferPages(places: readonly WalletOnChain[], limit: number): readonly TransfersState[] {
  const client = useClient()
  return useSources(
    places.map(({ address, chain }) => ({
      key: `${address} ${chain} ${limit}`,
      open() {
        const pages = watchTransfers(client, { address, chain, limit, live: true })
        return mapStore(pages, (state) => ({ ...describe(pages, state), chain, rows: state.data?.result ?? [] }))
      },
    })),
  )
}

export type NftsState = PagesState & {
  address: string
  chain: number
  rows: readonly Nft[]
  at?: { chain: number; block: { number: number; timestamp: Date }; source: 'node' | 'cache' | 'index' }
}

/** The collectibles of each of these wallets. */
export function useNftPages(places: readonly WalletOnChain[]): readonly NftsState[] {
  const client = useClient()
  return useSources(
    places.map(({ address, chain }) => ({
      key: `${address} ${chain}`,
      open() {
        const pages = watchNfts(client, { address, chain, limit: 100 })
        return mapStore(pages, (state): NftsState => {
          const { data } = state
          return {
            ...describe(pages, state),
            address,
            chain,
            rows: data?.result ?? [],
            hasMore: data?.cursor !== undefined,
            ...(data && { at: { chain, block: data.block, source: data.source } }),
          }
        })
      },
    })),
  )
}

function describe(pages: WatchedPages<unknown>, state: ReturnType<WatchedPages<unknown>['get']>): PagesState {
  const { status, data, error } = state
  const isPending = status === 'pending'
  return {
    status,
    hasMore: isPending || data?.cursor !== undefined,
    isFetching: isPending || state.isFetching,
    loadMore: pages.loadMore,
    refetch: pages.refetch,
    ...(error && { error }),
  }
}

type Source<State> = { readonly get: () => State; readonly subscribe: (listener: () => void) => () => void }

type WantedSource<State> = { readonly key: string; readonly open: () => Source<State> }

/** The states of several sources, in the order of the list. Each is followed for as long as its key is in the list. */
function useSources<State>(wanted: readonly WantedSource<State>[]): readonly State[] {
  const [sources] = useState(() => createSources<State>())
  useEffect(() => sources.follow(wanted))
  useEffect(() => () => sources.follow([]), [sources])
  return useSyncExternalStore(sources.subscribe, sources.get)
}

function createSources<State>() {
  let followed: ReadonlyMap<string, { source: Source<State>; stop: () => void }> = new Map()
  let states: readonly State[] = []
  const listeners = new Set<() => void>()
  const update = () => {
    const present = [...followed.values()].map(({ source }) => source.get())
    if (present.length === states.length && present.every((state, place) => state === states[place])) return
    states = present
    for (const listener of listeners) listener()
  }
  return {
    get: () => states,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow(wanted: readonly WantedSource<State>[]): void {
      const before = followed
      const start = (source: Source<State>) => ({ source, stop: source.subscribe(update) })
      followed = new Map(wanted.map(({ key, open }) => [key, before.get(key) ?? start(open())]))
      for (const [key, { stop }] of before) if (!followed.has(key)) stop()
      update()
    },
  }
}

/** A store seen through a function. The same state gives the same object. */
function mapStore<From, To>(store: Source<From>, map: (state: From) => To): Source<To> {
  let known: { from: From; to: To } | undefined
  return {
    subscribe: store.subscribe,
    get() {
      const from = store.get()
      if (!known || known.from !== from) known = { from, to: map(from) }
      return known.to
    },
  }
}
