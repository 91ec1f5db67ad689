import type { ChainInfo } from '@countersign/react'
import { Badge } from '../Badge.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { HashLink } from '../chain/HashLink.tsx'
import { VirtualRows } from '../chain/VirtualRows.tsx'

type Row = {
  hash: string
  from: string
  to?: string
  contract?: string
  value: string | bigint
  status?: 'success' | 'failed'
}

type Props = { rows: readonly Row[]; chain: ChainInfo; onEnd?: (() => void) | undefined }

export function TransactionRows({ rows, chain, onEnd }: Props) {
  const { symbol, decimals } = chain.nativeCurrency
  return (
    <VirtualRows
      label="Transactions"
      count={rows.length}
      estimate={72}
      keyOf={(index) => rows[index]?.hash ?? String(index)}
      onEnd={onEnd}
    >
      {(index) => {
        const row = rows[index]
        if (!row) return null
        return (
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-3.5 text-sm">
            <div className="min-w-0">
              <p className="flex flex-wrap gap-2">
                <HashLink chain={chain.id} hash={row.hash} />
                {row.status === 'failed' && <Badge tone="warn">Failed</Badge>}
              </p>
              <p className="text-xs text-muted">
                from <AddressLink chain={chain.id} address={row.from} />{' '}
                {row.to ? (
                  <>
                    to <AddressLink chain={chain.id} address={row.to} />
                  </>
                ) : (
                  <>made a contract {row.contract && <AddressLink chain={chain.id} address={row.contract} />}</>
                )}
              </p>
            </div>
            <Amount amount={BigInt(row.value)} decimals={decimals} symbol={symbol} />
          </div>
        )
      }}
    </VirtualRows>
  )
}
