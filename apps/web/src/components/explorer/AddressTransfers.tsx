import { type ChainInfo, useTransfers } from '@countersign/react'
import { ArrowLeftRight } from 'lucide-react'
import { useMemo } from 'react'
import { placeOn } from '../../lib/chain/mergeTransfers.ts'
import { say } from '../../lib/say.ts'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { ListSkeleton } from '../chain/ListSkeleton.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { TransferRows } from '../chain/TransferRows.tsx'
import { EmptyState } from '../EmptyState.tsx'

/** Transfers from and to an address, as they come. */
export function AddressTransfers({ chain, address }: { chain: ChainInfo; address: string }) {
  const transfers = useTransfers({ address, chain: chain.id, limit: 250, live: true })
  const { data, at } = transfers
  const rows = useMemo(() => data?.map((row) => placeOn(chain.id, row)) ?? [], [data, chain.id])
  const own = useMemo(() => new Set([address]), [address])
  if (transfers.status === 'pending') return <ListSkeleton label={say('Loading transfers…')} />
  if (!data)
    return (
      <ChainFailure
        error={transfers.error}
        title={say('Transfers could not be loaded')}
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
        <EmptyState icon={ArrowLeftRight} title={say('No transfers yet')} />
      )}
      {at && <SourceNote {...at} isSyncing={transfers.isSyncing === true} />}
    </>
  )
}
