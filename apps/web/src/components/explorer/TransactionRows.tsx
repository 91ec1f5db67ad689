import type { ChainInfo } from '@countersign/react'
import { say } from '../../lib/say.ts'
import { Badge } from '../Badge.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { HashLink } from '../chain/HashLink.tsx'
import { VirtualRows } from '../chain/VirtualRows.tsx'
import { Phrase } from '../Phrase.tsx'
import { RelativeTime } from '../RelativeTime.tsx'

type Row = {
  hash: string
  from: string
  to?: string
  contract?: string
  value: string | bigint
  status?: 'success' | 'failed'
  block?: { number: number; timestamp: string | Date }
}

type Props = { rows: readonly Row[]; chain: ChainInfo; onEnd?: (() => void) | undefined }

export function TransactionRows({ rows, chain, onEnd }: Props) {
  const { symbol, decimals } = chain.nativeCurrency
  return (
    <VirtualRows
      label={say('Transactions')}
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
                {row.status === 'failed' && <Badge tone="warn">{say('Failed')}</Badge>}
              </p>
              <p className="text-xs text-muted">{describeWay(row, chain.id)}</p>
            </div>
            <div className="sm:text-end">
              <p>
                <Amount amount={BigInt(row.value)} decimals={decimals} symbol={symbol} />
              </p>
              {row.block && (
                <p className="text-xs text-muted">
                  <RelativeTime date={new Date(row.block.timestamp)} />
                </p>
              )}
            </div>
          </div>
        )
      }}
    </VirtualRows>
  )
}

function describeWay({ from, to, contract }: Row, chain: number) {
  const sender = <AddressLink chain={chain} address={from} />
  if (to)
    return (
      <Phrase
        text="from {sender} to {receiver}"
        values={{ sender, receiver: <AddressLink chain={chain} address={to} /> }}
      />
    )
  return (
    <Phrase
      text="{sender} made the contract {contract}"
      values={{ sender, contract: contract && <AddressLink chain={chain} address={contract} /> }}
    />
  )
}
