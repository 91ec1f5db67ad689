import { type ChainInfo, useTokenBalances } from '@countersign/react'
import { Coins } from 'lucide-react'
import { say } from '../../lib/say.ts'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { ListSkeleton } from '../chain/ListSkeleton.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { VirtualRows } from '../chain/VirtualRows.tsx'
import { EmptyState } from '../EmptyState.tsx'

export function AddressTokens({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useTokenBalances({ address, chain: chain.id })
  if (found.status === 'pending') return <ListSkeleton label={say('Loading tokens…')} />
  if (!found.data)
    return (
      <ChainFailure
        error={found.error}
        title={say('Tokens could not be loaded')}
        onRetry={() => void found.refetch()}
      />
    )
  const rows = found.data.filter(({ balance }) => balance > 0n)
  return (
    <>
      {rows.length === 0 && <EmptyState icon={Coins} title={say('No tokens')} />}
      {rows.length > 0 && (
        <VirtualRows
          label={say('Tokens')}
          count={rows.length}
          estimate={52}
          keyOf={(index) => rows[index]?.token ?? String(index)}
        >
          {(index) => {
            const row = rows[index]
            if (!row) return null
            return (
              <p className="flex flex-wrap justify-between gap-x-6 py-3.5 text-sm">
                <AddressLink chain={chain.id} address={row.token} label={row.name || row.symbol} />
                <Amount amount={row.balance} decimals={row.decimals} symbol={row.symbol} />
              </p>
            )
          }}
        </VirtualRows>
      )}
      {found.at && <SourceNote {...found.at} isSyncing={found.isSyncing === true} />}
    </>
  )
}
