import { type ChainInfo, useTransactions } from '@countersign/react'
import { ListOrdered } from 'lucide-react'
import { say } from '../../lib/say.ts'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { ListSkeleton } from '../chain/ListSkeleton.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { TransactionRows } from './TransactionRows.tsx'

export function AddressTransactions({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useTransactions({ address, chain: chain.id, limit: 250 })
  if (found.status === 'pending') return <ListSkeleton label={say('Loading transactions…')} />
  if (!found.data)
    return (
      <ChainFailure
        error={found.error}
        title={say('Transactions could not be loaded')}
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
        <EmptyState icon={ListOrdered} title={say('No transactions yet')} />
      )}
      {found.at && <SourceNote {...found.at} isSyncing={found.isSyncing === true} />}
    </>
  )
}
