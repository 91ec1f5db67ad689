import { memo } from 'react'
import type { Holding } from '../../lib/chain/gatherHoldings.ts'
import { formatUsd } from '../../lib/chain/usd.ts'
import { say } from '../../lib/say.ts'
import { Badge } from '../Badge.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { VirtualRows } from '../chain/VirtualRows.tsx'

/** Currencies and tokens, with what they are worth where that is known. */
export const HoldingsList = memo(function HoldingsList({ holdings }: { holdings: readonly Holding[] }) {
  return (
    <VirtualRows
      label={say('Currencies and tokens')}
      count={holdings.length}
      estimate={84}
      keyOf={(index) => holdings[index]?.key ?? String(index)}
    >
      {(index) => holdings[index] && <HoldingRow holding={holdings[index]} />}
    </VirtualRows>
  )
})

function HoldingRow({ holding }: { holding: Holding }) {
  const { chain, chainName, token, name, symbol, decimals, balance, usd, wallets, isNamesake } = holding
  return (
    <div className="flex items-start gap-3.5 py-4">
      <span
        aria-hidden="true"
        className="grid size-11 shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft text-xs font-bold text-accent"
      >
        <bdi>{beginningOf(symbol ?? name)}</bdi>
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-6 gap-y-0.5">
        <div className="min-w-0">
          <p className="line-clamp-2 font-semibold wrap-anywhere">
            {token ? <AddressLink chain={chain} address={token} label={name} /> : name}
          </p>
          <p className="text-xs text-muted">
            {wallets > 1
              ? say('{chain}, {count, plural, one {in # wallet} other {in # wallets}}', {
                  chain: chainName,
                  count: wallets,
                })
              : chainName}
          </p>
          {isNamesake && (
            <p className="mt-1">
              <Badge tone="warn">{say('Named like another token')}</Badge>
            </p>
          )}
        </div>
        <div className="min-w-0 sm:ms-auto sm:text-end">
          <p className="text-sm">
            <Amount amount={balance} decimals={decimals} symbol={symbol} />
          </p>
          <p className="text-sm text-muted tabular-nums wrap-anywhere">
            {usd === undefined ? say('Value unknown') : formatUsd(usd)}
          </p>
        </div>
      </div>
    </div>
  )
}

const characters = new Intl.Segmenter()

/** As much as fits into a circle: four letters, or one character of several parts, which stays whole. */
function beginningOf(text: string): string {
  let beginning = ''
  for (const { segment } of characters.segment(text.slice(0, 60))) {
    if (beginning && beginning.length + segment.length > 4) break
    beginning += segment
  }
  return beginning
}
