import type { TransferRecord } from '@countersign/protocol'
import { type CountersignError, useClient } from '@countersign/react'
import { type ChainInfo, useTokenBalances, useTransactions, useTransfers } from '@countersign/react/chain'
import { request } from '@countersign/react/core'
import { ArrowLeftRight, Coins, ListOrdered } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { PressableAmount } from '../../chain/Amount.tsx'
import { AddressLink } from '../../chain/ChainLinks.tsx'
import { ChainFailure, SourceNote } from '../../chain/ChainStates.tsx'
import { type ChainTransfer, placeOn } from '../../chain/mergeTransfers.ts'
import { TransferRows } from '../../chain/TransferRows.tsx'
import { t } from '../../i18n/translate.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'
import { TransactionRows } from './TransactionRows.tsx'

export function AddressTransactions({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useTransactions({ address, chain: chain.id, limit: 250 })
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
  const { data, at } = transfers
  const rows = useMemo(() => data?.map((row) => placeOn(chain.id, row)) ?? [], [data, chain.id])
  const own = useMemo(() => new Set([address]), [address])
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

type Pages = {
  rows: readonly ChainTransfer[]
  cursor?: string
  block?: { number: number; timestamp: string }
  isSyncing: boolean
  isFetching: boolean
  error?: CountersignError
}

const nothing: Pages = { rows: [], isSyncing: false, isFetching: true }

/** The transfers of a token or of NFTs by anyone, page by page, the newest first. */
function useTokenTransfers(
  chain: number,
  token: string,
  list: 'listTokenTransfers' | 'listNftTransfers',
  enabled = true,
): Pages & { loadMore: () => void; retry: () => void } {
  const client = useClient()
  const [pages, setPages] = useState<Pages>(nothing)
  const asking = useRef<AbortController>(undefined)
  const ask = useCallback(
    (before: Pages) => {
      const control = new AbortController()
      asking.current = control
      const input = { chain: String(chain), token, limit: 250, ...(before.cursor && { cursor: before.cursor }) }
      const { error: _, ...rest } = before
      setPages({ ...rest, isFetching: true })
      request(client, list, input, { signal: control.signal }).then(
        ({ result, cursor, block, status }) => {
          if (control.signal.aborted) return
          const rows = [...before.rows, ...result.map((row) => readTransfer(row, chain))]
          setPages({ rows, block, isSyncing: status === 'SYNCING', isFetching: false, ...(cursor && { cursor }) })
        },
        (error) => control.signal.aborted || setPages({ ...rest, isFetching: false, error }),
      )
    },
    [client, chain, token, list],
  )
  useEffect(() => {
    if (enabled) ask(nothing)
    return () => asking.current?.abort()
  }, [ask, enabled])
  const loadMore = useCallback(() => {
    if (pages.cursor && !pages.isFetching) ask(pages)
  }, [ask, pages])
  return { ...pages, loadMore, retry: () => ask(pages) }
}

const readTransfer = ({ amount, block, ...row }: TransferRecord, chain: number): ChainTransfer => ({
  ...row,
  chain,
  amount: BigInt(amount),
  block: { ...block, timestamp: new Date(block.timestamp) },
})
