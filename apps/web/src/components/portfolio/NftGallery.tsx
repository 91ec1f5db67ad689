import { Images } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { useSourceStates } from '../../lib/chain/useSourceStates.ts'
import type { WalletOnChain } from '../../lib/chain/WalletOnChain.ts'
import { formatNumber } from '../../lib/formatNumber.ts'
import { say } from '../../lib/say.ts'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { VirtualRows } from '../chain/VirtualRows.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { TextLink } from '../TextLink.tsx'
import { NftPicture } from './NftPicture.tsx'
import { NftSource, type NftState } from './NftSource.tsx'

const narrowest = 150

/** Collectibles with their pictures, as many beside each other as there is room for. */
export function NftGallery({ places }: { places: readonly WalletOnChain[] }) {
  const [states, tell] = useSourceStates<NftState>()
  const frame = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(2)
  useLayoutEffect(() => {
    const box = frame.current
    if (!box) return
    const fit = () => setColumns(Math.max(2, Math.floor(box.clientWidth / narrowest)))
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const cards = states.flatMap(({ rows, chain, address }) => rows.map((nft) => ({ nft, chain, address })))
  const failed = states.find(({ status }) => status === 'error')
  const isPending = states.length < places.length || states.some(({ status }) => status === 'pending')
  // One that is being read is not asked for more; once it is there, the end is looked at again.
  const loadMore = states.find(({ hasMore, isFetching }) => hasMore && !isFetching)?.loadMore
  const onEnd = useMemo(() => (loadMore ? () => void loadMore() : undefined), [loadMore])
  useUnknownPictures(states)
  return (
    <div ref={frame}>
      {places.map(({ address, chain }) => (
        <NftSource key={`${address} ${chain}`} address={address} chain={chain} onState={tell} />
      ))}
      {isPending && cards.length === 0 && <GallerySkeleton columns={columns} />}
      {failed?.error && (
        <ChainFailure
          error={failed.error}
          title={say('Your collectibles could not be loaded')}
          onRetry={() => void failed.refetch()}
        />
      )}
      {!isPending && !failed && cards.length === 0 && (
        <EmptyState icon={Images} title={say('No collectibles yet')}>
          {say('Pictures, badges and tickets that your wallets hold are shown here.')}
        </EmptyState>
      )}
      {cards.length > 0 && (
        <VirtualRows
          label={say('Collectibles')}
          count={Math.ceil(cards.length / columns)}
          estimate={240}
          plain
          keyOf={String}
          onEnd={onEnd}
        >
          {(row) => (
            <div className="grid gap-3 py-2" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
              {cards.slice(row * columns, (row + 1) * columns).map(({ nft, chain, address }) => (
                <article
                  key={`${address} ${chain} ${nft.token} ${nft.tokenId}`}
                  className="overflow-hidden rounded-control border border-line"
                >
                  <NftPicture nft={nft} chain={chain} />
                  <div className="p-2.5 text-xs">
                    <h3 className="truncate text-sm" title={nft.normalized?.name || nft.tokenId}>
                      <bdi>{nft.normalized?.name || `#${nft.tokenId}`}</bdi>
                    </h3>
                    <p className="flex flex-wrap justify-between gap-x-2">
                      <TextLink to={explorerPath(chain, 'address', nft.token)} className="truncate">
                        <bdi>{nft.name || say('Contract')}</bdi>
                      </TextLink>
                      {nft.amount > 1n && (
                        <span className="min-w-0 text-muted wrap-anywhere">×{formatNumber(nft.amount)}</span>
                      )}
                    </p>
                  </div>
                </article>
              ))}
            </div>
          )}
        </VirtualRows>
      )}
      {states.map(({ at, address, chain }, place) =>
        at && states.findIndex((each) => each.chain === chain) === place ? (
          <SourceNote
            key={`${address} ${chain}`}
            {...at}
            chainName={places.find((each) => each.chain === chain)?.chainName}
          />
        ) : null,
      )}
    </div>
  )
}

/** The server fetches what it has not met in the background: what lacks its metadata is asked for again, a few times. */
function useUnknownPictures(states: readonly NftState[]): void {
  const tries = useRef({ rows: 0, count: 0 })
  const lacking = states.find(({ rows }) =>
    rows.some(({ metadata, uri }) => metadata === undefined && uri !== undefined),
  )
  const refetch = lacking?.refetch
  const rows = lacking?.rows
  useEffect(() => {
    if (!refetch || !rows) return
    if (tries.current.rows !== rows.length) tries.current = { rows: rows.length, count: 0 }
    if (tries.current.count >= 5) return
    const timer = setTimeout(() => {
      tries.current.count++
      void refetch()
    }, 1000)
    return () => clearTimeout(timer)
  }, [refetch, rows])
}

function GallerySkeleton({ columns }: { columns: number }) {
  return (
    <div
      aria-busy="true"
      className="grid animate-wait gap-3 py-2"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      <span role="status" className="sr-only">
        {say('Loading your collectibles…')}
      </span>
      {Array.from({ length: columns * 2 }, (_none, place) => place).map((place) => (
        <Skeleton key={place} className="h-56" />
      ))}
    </div>
  )
}
