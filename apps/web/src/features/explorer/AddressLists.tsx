import type { EndpointTypes, TransferRecord } from '@countersign/protocol'
import { useClient, useRead } from '@countersign/react'
import { type ChainInfo, useTokenBalances, useTransactions, useTransfers } from '@countersign/react/chain'
import { request } from '@countersign/react/core'
import { ArrowLeftRight, Coins, ListOrdered } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { PressableAmount } from '../../chain/Amount.tsx'
import { AddressLink } from '../../chain/ChainLinks.tsx'
import { ChainFailure, SourceNote } from '../../chain/ChainStates.tsx'
import { checksumAddress } from '../../chain/checksumAddress.ts'
import { type ChainTransfer, placeOn } from '../../chain/mergeTransfers.ts'
import { TransferRows } from '../../chain/TransferRows.tsx'
import { t } from '../../i18n/translate.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'
import { TransactionRows } from './TransactionRows.tsx'

/** Pause (ms) between two reads of a list whose older blocks are still being indexed. */
const syncPause = 5_000

/** Most rows that are read again for new blocks: a reader who scrolled further keeps the place. */
const mostRows = 250

type Indexed = {
  readonly data?: readonly unknown[] | undefined
  readonly isSyncing?: boolean
  readonly at?: { readonly block: { readonly number: number } } | undefined
  readonly refetch: () => unknown
}

/** Reads a list again while the server indexes older blocks, and when the index has blocks after those of the list. */
function useIndexedRows({ index }: ChainInfo, { data, isSyncing = false, at, refetch }: Indexed) {
  const read = useEffectEvent(() => void refetch())
  useEffect(() => {
    if (!isSyncing) return
    const timer = setInterval(read, syncPause)
    return () => clearInterval(timer)
  }, [isSyncing])
  const isShort = data !== undefined && data.length <= mostRows
  const isBehind = isShort && at !== undefined && index !== undefined && index.block > at.block.number
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further block is a reason to read again.
  useEffect(() => {
    if (isBehind) read()
  }, [isBehind, index?.block])
}

export function AddressTransactions({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useTransactions({ address, chain: chain.id, limit: 250 })
  useIndexedRows(chain, found)
  if (found.status === 'pending') return <ListSkeleton label={t('Loading transactions…')} />
  if (!found.data)
    return (
      <ChainFailure
        error={found.error}
        title={t('Transactions could not be loaded')}
        onRetry={() => void found.refetch()}
      />
    )
  return (
    <>
      {found.data.length > 0 ? (
        <TransactionRows
          rows={found.data}
          chain={chain}
          onEnd={found.hasMore && !found.isFetching ? found.loadMore : undefined}
        />
      ) : (
        <EmptyState icon={ListOrdered} title={t('No transactions yet')} />
      )}
      {found.at && <SourceNote {...found.at} isSyncing={found.isSyncing === true} />}
    </>
  )
}

/** Transfers from and to an address, as they come. */
export function AddressTransfers({ chain, address }: { chain: ChainInfo; address: string }) {
  const transfers = useTransfers({ address, chain: chain.id, limit: 250, live: true })
  useIndexedRows(chain, transfers)
  const { data, at } = transfers
  const rows = useMemo(() => data?.map((row) => placeOn(chain.id, row)) ?? [], [data, chain.id])
  const own = useMemo(() => new Set([checksumAddress(address)]), [address])
  if (transfers.status === 'pending') return <ListSkeleton label={t('Loading transfers…')} />
  if (!data)
    return (
      <ChainFailure
        error={transfers.error}
        title={t('Transfers could not be loaded')}
        onRetry={() => void transfers.refetch()}
      />
    )
  return (
    <>
      {rows.length > 0 ? (
        <TransferRows
          rows={rows}
          own={own}
          onEnd={transfers.hasMore && !transfers.isFetching ? transfers.loadMore : undefined}
        />
      ) : (
        <EmptyState icon={ArrowLeftRight} title={t('No transfers yet')} />
      )}
      {at && <SourceNote {...at} isSyncing={transfers.isSyncing === true} />}
    </>
  )
}

export function AddressTokens({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useTokenBalances({ address, chain: chain.id })
  useIndexedRows(chain, found)
  if (found.status === 'pending') return <ListSkeleton label={t('Loading tokens…')} />
  if (!found.data)
    return (
      <ChainFailure error={found.error} title={t('Tokens could not be loaded')} onRetry={() => void found.refetch()} />
    )
  const rows = found.data.filter(({ balance }) => balance > 0n)
  return (
    <>
      {rows.length === 0 && <EmptyState icon={Coins} title={t('No tokens')} />}
      {rows.length > 0 && (
        <VirtualRows
          label={t('Tokens')}
          count={rows.length}
          estimate={52}
          keyOf={(index) => rows[index]?.token ?? String(index)}
        >
          {(index) => {
            const row = rows[index]
            if (!row) return null
            return (
              <div className="flex flex-wrap justify-between gap-x-6 py-3.5 text-sm">
                <AddressLink chain={chain.id} address={row.token} label={row.name || row.symbol} />
                <PressableAmount amount={row.balance} decimals={row.decimals} symbol={row.symbol} />
              </div>
            )
          }}
        </VirtualRows>
      )}
      {found.at && <SourceNote {...found.at} isSyncing={found.isSyncing === true} />}
    </>
  )
}

const nobodys: ReadonlySet<string> = new Set()
const fungibleFirst = ['listTokenTransfers', 'listNftTransfers'] as const
const othersFirst = ['listNftTransfers', 'listTokenTransfers'] as const

type Props = {
  chain: ChainInfo
  token: string
  /** Collectibles have no decimals, but neither have some tokens, and some collectibles do: a guess. */
  isFungible: boolean
}

/** Transfers of a token or an NFT. */
export function TokenTransfers({ chain, token, isFungible }: Props) {
  const lists = isFungible ? fungibleFirst : othersFirst
  const likely = useTokenTransfers(chain.id, token, lists[0])
  const isEmpty = likely.rows.length === 0 && !likely.isFetching && !likely.error
  const other = useTokenTransfers(chain.id, token, lists[1], isEmpty)
  const { rows, cursor, block, isSyncing, isFetching, error, loadMore, retry } = isEmpty ? other : likely
  const readAgain = () => {
    likely.retry()
    if (isEmpty) other.retry()
  }
  useIndexedRows(chain, { data: rows, isSyncing, at: block && { block }, refetch: readAgain })
  if (rows.length === 0 && isFetching) return <ListSkeleton label={t('Loading transfers…')} />
  return (
    <>
      {rows.length > 0 && (
        <TransferRows rows={rows} own={nobodys} onEnd={cursor && !isFetching && !error ? loadMore : undefined} />
      )}
      {error && <ChainFailure error={error} title={t('Transfers could not be loaded')} onRetry={retry} />}
      {rows.length === 0 && !error && <EmptyState icon={ArrowLeftRight} title={t('No transfers yet')} />}
      {block && <SourceNote chain={chain.id} block={block} source="index" isSyncing={isSyncing} />}
    </>
  )
}

type Page = EndpointTypes['listTokenTransfers']['output']

/** The transfers of a token or of NFTs by anyone, page by page, the newest first. */
function useTokenTransfers(
  chain: number,
  token: string,
  list: 'listTokenTransfers' | 'listNftTransfers',
  enabled = true,
) {
  const client = useClient()
  const [wanted, setWanted] = useState(1)
  // Pages before the last one are read once.
  const known = useRef<readonly Page[]>([])
  const read = useRead(
    [list, chain, token, wanted],
    async (options) => {
      const pages = known.current.slice(0, wanted - 1)
      while (pages.length < wanted) {
        const cursor = pages.at(-1)?.cursor
        const input = { chain: String(chain), token, limit: 250, ...(cursor && { cursor }) }
        pages.push(await request(client, list, input, options))
        if (!pages.at(-1)?.cursor) break
      }
      known.current = pages
      return pages
    },
    { enabled, keepPrevious: true },
  )
  const { data, error, isFetching, refetch } = read
  const rows = useMemo(
    () => data?.flatMap(({ result }) => result.map((row) => readTransfer(row, chain))) ?? [],
    [data, chain],
  )
  const last = data?.at(-1)
  return {
    rows,
    cursor: last?.cursor,
    block: last?.block,
    isSyncing: last?.status === 'SYNCING',
    isFetching,
    error,
    loadMore: () => setWanted((data?.length ?? 0) + 1),
    retry: () => void refetch(),
  }
}

/** The record as hooks return it; see `FromWire` of `@countersign/react`. */
function readTransfer(
  { amount, block, token, from, to, operator, ...row }: TransferRecord,
  chain: number,
): ChainTransfer {
  return {
    ...row,
    chain,
    token: checksumAddress(token),
    from: checksumAddress(from),
    to: checksumAddress(to),
    ...(operator && { operator: checksumAddress(operator) }),
    amount: BigInt(amount),
    block: { ...block, timestamp: new Date(block.timestamp) },
  }
}
