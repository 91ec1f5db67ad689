import { ArrowLeftRight } from 'lucide-react'
import type { ChainTransfer } from '../../lib/chain/mergeTransfers.ts'
import { say } from '../../lib/say.ts'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { ListSkeleton } from '../chain/ListSkeleton.tsx'
import { TransferRows } from '../chain/TransferRows.tsx'
import { EmptyState } from '../EmptyState.tsx'
import type { SourceState } from './TransferSource.tsx'

type Props = {
  isPending: boolean
  failed: SourceState | undefined
  isFollowed: boolean
  rows: readonly ChainTransfer[]
  own: ReadonlySet<string>
  names: ReadonlyMap<string, string>
  onEnd: (() => void) | undefined
}

/** The transfers of all wallets that are looked at, in one list. */
export function PortfolioTransfers({ isPending, failed, isFollowed, rows, own, names, onEnd }: Props) {
  if (!isFollowed)
    return (
      <EmptyState icon={ArrowLeftRight} title={say('Not available here')}>
        {say('The server does not follow your wallets on these chains, and a node alone cannot list their transfers.')}
      </EmptyState>
    )
  return (
    <>
      {failed?.error && (
        <ChainFailure
          error={failed.error}
          title={say('Your transfers could not be loaded')}
          onRetry={() => void failed.refetch()}
        />
      )}
      {rows.length > 0 && <TransferRows rows={rows} own={own} names={names} onEnd={onEnd} />}
      {rows.length === 0 && isPending && <ListSkeleton label={say('Loading your transfers…')} />}
      {rows.length === 0 && !isPending && !failed && (
        <EmptyState icon={ArrowLeftRight} title={say('No transfers yet')}>
          {say('As soon as a token comes or goes, it is shown here.')}
        </EmptyState>
      )}
    </>
  )
}
