import { ArrowLeftRight } from 'lucide-react'
import { ChainFailure } from '../../chain/ChainStates.tsx'
import type { ChainTransfer } from '../../chain/mergeTransfers.ts'
import { TransferRows } from '../../chain/TransferRows.tsx'
import { t } from '../../i18n/translate.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import type { TransfersState } from './useWalletPages.ts'

type Props = {
  isPending: boolean
  failed: TransfersState | undefined
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
      <EmptyState icon={ArrowLeftRight} title={t('Not available')}>
        {t('This server doesn’t index your wallets on these chains, so transfers aren’t available.')}
      </EmptyState>
    )
  return (
    <>
      {failed?.error && (
        <ChainFailure
          error={failed.error}
          title={t('Your transfers could not be loaded')}
          onRetry={() => void failed.refetch()}
        />
      )}
      {rows.length > 0 && <TransferRows rows={rows} own={own} names={names} onEnd={onEnd} />}
      {rows.length === 0 && isPending && <ListSkeleton label={t('Loading your transfers…')} />}
      {rows.length === 0 && !isPending && !failed && (
        <EmptyState icon={ArrowLeftRight} title={t('No transfers yet')}>
          {t('Your transfers will appear here.')}
        </EmptyState>
      )}
    </>
  )
}
