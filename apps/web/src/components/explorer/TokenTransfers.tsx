import type { ChainInfo } from '@countersign/react'
import { ArrowLeftRight } from 'lucide-react'
import { useTokenTransfers } from '../../lib/chain/useTokenTransfers.ts'
import { say } from '../../lib/say.ts'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { ListSkeleton } from '../chain/ListSkeleton.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { TransferRows } from '../chain/TransferRows.tsx'
import { EmptyState } from '../EmptyState.tsx'

const nobodys: ReadonlySet<string> = new Set()
const fungibleFirst = ['listTokenTransfers', 'listNftTransfers'] as const
const othersFirst = ['listNftTransfers', 'listTokenTransfers'] as const

type Props = {
  chain: ChainInfo
  token: string
  /** Collectibles have no decimals, but neither have some tokens, and some collectibles do: a guess. */
  isFungible: boolean
}

/** Who sent whom how much of a token, or which collectible. */
export function TokenTransfers({ chain, token, isFungible }: Props) {
  const lists = isFungible ? fungibleFirst : othersFirst
  const likely = useTokenTransfers(chain.id, token, lists[0])
  const isEmpty = likely.rows.length === 0 && !likely.isFetching && !likely.error
  const other = useTokenTransfers(chain.id, token, lists[1], isEmpty)
  const { rows, cursor, block, isSyncing, isFetching, error, loadMore, retry } = isEmpty ? other : likely
  if (rows.length === 0 && isFetching) return <ListSkeleton label={say('Loading transfers…')} />
  return (
    <>
      {rows.length > 0 && (
        <TransferRows rows={rows} own={nobodys} onEnd={cursor && !isFetching && !error ? loadMore : undefined} />
      )}
      {error && <ChainFailure error={error} title={say('Transfers could not be loaded')} onRetry={retry} />}
      {rows.length === 0 && !error && <EmptyState icon={ArrowLeftRight} title={say('No transfers yet')} />}
      {block && <SourceNote chain={chain.id} block={block} source="index" isSyncing={isSyncing} />}
    </>
  )
}
