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

type Props = {
  chain: ChainInfo
  token: string
  /** Collectibles have no decimals. */
  isFungible: boolean
}

/** Who sent whom how much of a token, or which collectible. */
export function TokenTransfers({ chain, token, isFungible }: Props) {
  const list = isFungible ? 'listTokenTransfers' : 'listNftTransfers'
  const { rows, cursor, block, isSyncing, isFetching, error, loadMore, retry } = useTokenTransfers(
    chain.id,
    token,
    list,
  )
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
