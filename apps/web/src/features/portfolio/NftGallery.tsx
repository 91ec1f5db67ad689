import { useClient } from '@countersign/react'
import type { Nft } from '@countersign/react/chain'
import { request } from '@countersign/react/core'
import { ImageOff, Images } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { explorerPath, sendPath } from '../../chain/ChainLinks.tsx'
import { ChainFailure, SourceNote } from '../../chain/ChainStates.tsx'
import { keyOfToken } from '../../chain/gatherHoldings.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'
import { type NftsState, useNftPages, type WalletOnChain } from './useWalletPages.ts'

const narrowest = 150

/** Collectibles with their pictures, as many beside each other as there is room for. */
export function NftGallery({ places }: { places: readonly WalletOnChain[] }) {
  const states = useNftPages(places)
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
  // A page being read is not requested again; the end is checked once it is there.
  const loadMore = states.find(({ hasMore, isFetching }) => hasMore && !isFetching)?.loadMore
  const onEnd = useMemo(() => (loadMore ? () => void loadMore() : undefined), [loadMore])
  useUnknownPictures(states)
  return (
    <div ref={frame}>
      {isPending && cards.length === 0 && <GallerySkeleton columns={columns} />}
      {failed?.error && (
        <ChainFailure
          error={failed.error}
          title={t('Your NFTs could not be loaded')}
          onRetry={() => void failed.refetch()}
        />
      )}
      {!isPending && !failed && cards.length === 0 && (
        <EmptyState icon={Images} title={t('No NFTs yet')}>
          {t('NFTs in your wallets will appear here.')}
        </EmptyState>
      )}
      {cards.length > 0 && (
        <VirtualRows
          label={t('NFTs')}
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
                        <bdi>{nft.name || t('Contract')}</bdi>
                      </TextLink>
                      {nft.amount > 1n && (
                        <span className="min-w-0 text-muted wrap-anywhere">×{formatNumber(nft.amount)}</span>
                      )}
                    </p>
                    <TextLink
                      to={sendPath(`${keyOfToken(chain, nft.token)} ${nft.tokenId}`)}
                      aria-label={t('Send {name}', { name: nft.normalized?.name || `#${nft.tokenId}` })}
                      className="-mb-1.5 inline-flex min-h-11 items-center print:hidden"
                    >
                      {t('Send')}
                    </TextLink>
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

/** The server fetches unknown metadata in the background, so rows without it are requested again, a few times. */
function useUnknownPictures(states: readonly NftsState[]): void {
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
        {t('Loading your NFTs…')}
      </span>
      {Array.from({ length: columns * 2 }, (_none, place) => place).map((place) => (
        <Skeleton key={place} className="h-56" />
      ))}
    </div>
  )
}

/** The picture of a collectible, from this server or from the token itself: no other host learns who looks. */
function NftPicture({ nft, chain }: { nft: Nft; chain: number }) {
  const [isBroken, setBroken] = useState(false)
  const source = useNftPicture(nft, chain)
  if (source && !isBroken)
    return (
      <img
        src={source}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
        className="aspect-square w-full bg-sunken object-cover"
      />
    )
  return (
    <span className="grid aspect-square w-full place-items-center bg-sunken text-muted">
      <ImageOff size={26} aria-hidden="true" />
      <span className="sr-only">{t('No picture')}</span>
    </span>
  )
}

/** Pictures that were shown lately: a list that scrolls back does not ask again. */
const known = new Map<string, string>()
const most = 300

/** Source of an NFT's picture: its own data or this server, never another host. */
function useNftPicture({ token, tokenId, normalized }: Nft, chain: number): string | undefined {
  const client = useClient()
  const image = normalized?.image
  const isOwn = image ? /^data:image\//i.test(image) : false
  const key = `${chain} ${token} ${tokenId} ${image}`
  const [shown, setShown] = useState<{ key: string; source: string }>()
  const isWanted = Boolean(image) && !isOwn && !known.has(key)
  useEffect(() => {
    if (!isWanted) return
    const control = new AbortController()
    request(client, 'getNftPicture', { chain: String(chain), token, id: tokenId }, { signal: control.signal }).then(
      ({ result }) => {
        const source = `data:${result.type};base64,${result.base64}`
        for (const oldest of known.keys()) if (known.size >= most) known.delete(oldest)
        known.set(key, source)
        if (!control.signal.aborted) setShown({ key, source })
      },
      () => {
        // The placeholder stays.
      },
    )
    return () => control.abort()
  }, [client, isWanted, key, chain, token, tokenId])
  if (isOwn && image) return image
  return known.get(key) ?? (shown?.key === key ? shown.source : undefined)
}
