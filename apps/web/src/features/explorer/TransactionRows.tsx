import type { ChainInfo } from '@countersign/react/chain'
import { Amount } from '../../chain/Amount.tsx'
import { AddressLink, HashLink } from '../../chain/ChainLinks.tsx'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/DetailRow.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'

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
      label={t('Transactions')}
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
                {row.status === 'failed' && <Badge tone="warn">{t('Failed')}</Badge>}
              </p>
              <p className="text-xs text-muted">
                <Facts
                  items={[
                    describeWay(row, chain.id),
                    row.block && <RelativeTime key="time" date={new Date(row.block.timestamp)} />,
                  ]}
                />
              </p>
            </div>
            {/* Most transactions call a contract and move nothing of the chain's own currency. */}
            {BigInt(row.value) > 0n && (
              <p className="sm:text-end">
                <Amount amount={BigInt(row.value)} decimals={decimals} symbol={symbol} />
              </p>
            )}
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
      <Trans
        text="from {sender} to {receiver}"
        values={{ sender, receiver: <AddressLink chain={chain} address={to} /> }}
      />
    )
  return (
    <Trans
      text="{sender} created contract {contract}"
      values={{ sender, contract: contract && <AddressLink chain={chain} address={contract} /> }}
    />
  )
}
