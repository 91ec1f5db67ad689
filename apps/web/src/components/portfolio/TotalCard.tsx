import type { Portfolio } from '@countersign/react'
import { memo } from 'react'
import type { Gathered } from '../../lib/chain/gatherHoldings.ts'
import { formatUsd } from '../../lib/chain/usd.ts'
import { say } from '../../lib/say.ts'
import { translateError } from '../../lib/translateError.ts'
import { Alert } from '../Alert.tsx'
import { Card } from '../Card.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'

type Props = { gathered: Gathered; chains: readonly Portfolio['chains'][number][] }

/** What everything is worth, which blocks say so, and what is lacking. */
export const TotalCard = memo(function TotalCard({ gathered: { total, unpriced }, chains }: Props) {
  const broken = chains.filter(({ error }) => error !== undefined)
  const incomplete = chains.filter(({ complete, error }) => complete === false && error === undefined)
  return (
    <Card aria-labelledby="portfolio-total">
      <h2 id="portfolio-total" className="text-sm font-semibold text-muted">
        {say('Value in all')}
      </h2>
      <p className="mt-1 text-3xl font-semibold tracking-tight wrap-anywhere tabular-nums">
        {total === 0n && (unpriced > 0 || broken.length > 0) ? say('Unknown') : formatUsd(total)}
      </p>
      <p className="mt-1 text-sm text-muted">{say('By the prices of pools on the chain.')}</p>
      {unpriced > 0 && (
        <p className="text-sm text-muted">
          {say(
            '{count, plural, one {# holding has no known price and is not counted.} other {# holdings have no known price and are not counted.}}',
            { count: unpriced },
          )}
        </p>
      )}
      <div className="mt-3 flex flex-col gap-0.5">
        {chains.map(
          ({ chain, name, block, source, status }) =>
            block && (
              <SourceNote
                key={chain}
                chain={chain}
                chainName={name}
                block={block}
                source={source}
                isSyncing={status === 'SYNCING'}
              />
            ),
        )}
      </div>
      {broken.map(({ chain, name, error = '', reason }) => (
        <Alert key={chain} tone="warn" className="mt-3" title={say('{chain} cannot be read now', { chain: name })}>
          {translateError({ message: error, reason })}
        </Alert>
      ))}
      {incomplete.map(({ chain, name, status }) => (
        <Alert key={chain} className="mt-3" title={say('{chain}: not everything is known', { chain: name })}>
          {status === 'SYNCING'
            ? say('The server still reads older blocks, so tokens may be lacking.')
            : say('The server does not follow your wallets there, so only the chain’s own currency is shown.')}
        </Alert>
      ))}
    </Card>
  )
})
