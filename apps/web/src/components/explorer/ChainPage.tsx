import type { ChainInfo } from '@countersign/react'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { say } from '../../lib/say.ts'
import { translateError } from '../../lib/translateError.ts'
import { Alert } from '../Alert.tsx'
import { Card } from '../Card.tsx'
import { CardHeader } from '../CardHeader.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { BlockLink } from '../chain/BlockLink.tsx'
import { Phrase } from '../Phrase.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { Fact } from './Fact.tsx'
import { Facts } from './Facts.tsx'

const shown = 6

/** How far a chain is, and its newest blocks. */
export function ChainPage({ chain }: { chain: ChainInfo }) {
  const { head, finalized, index, error, reason } = chain
  const newest = head?.number ?? -1
  const blocks = Array.from({ length: Math.min(shown, newest + 1) }, (_none, place) => newest - place)
  return (
    <div className="flex flex-col gap-6">
      {error !== undefined && (
        <Alert tone="warn" title={say('{chain} cannot be read now', { chain: chain.name })}>
          {translateError({ message: error, reason })}
        </Alert>
      )}
      <Card>
        <CardHeader title={chain.name} />
        <Facts>
          <Fact name={say('Number of the chain')}>{chain.id}</Fact>
          <Fact name={say('Currency')}>
            {chain.nativeCurrency.name} ({chain.nativeCurrency.symbol})
          </Fact>
          {head && (
            <Fact name={say('Newest block')}>
              <BlockLink chain={chain.id} block={head.number} />, <RelativeTime date={new Date(head.timestamp)} />
            </Fact>
          )}
          {finalized !== undefined && (
            <Fact name={say('Final up to')}>
              <BlockLink chain={chain.id} block={finalized} />
            </Fact>
          )}
          <Fact name={say('Index')}>
            {!index
              ? say('None: lists by address are not available')
              : index.status === 'SYNCED'
                ? say('Up to date, to block {block}', { block: index.block })
                : say('Reads older blocks, {part} % done', { part: Math.floor(index.progress * 100) })}
          </Fact>
        </Facts>
      </Card>
      {blocks.length > 0 && (
        <Card>
          <CardHeader title={say('Newest blocks')} />
          <ul className="divide-y divide-line">
            {blocks.map((block) => (
              <BlockRow key={block} chain={chain} block={block} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

function BlockRow({ chain, block }: { chain: ChainInfo; block: number }) {
  const found = useChainRequest('getBlock', { chain: String(chain.id), block: String(block) })
  const result = found.status === 'success' ? found.data.result : undefined
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 py-3 text-sm">
      <p>
        <BlockLink chain={chain.id} block={block} />{' '}
        {result && (
          <span className="text-xs text-muted">
            <RelativeTime date={new Date(result.timestamp)} />
          </span>
        )}
      </p>
      {result && (
        <p className="text-muted">
          <Phrase
            text="{count, plural, one {# transaction} other {# transactions}}, by {maker}"
            values={{
              count: result.transactionCount,
              maker: <AddressLink chain={chain.id} address={result.miner} />,
            }}
          />
        </p>
      )}
      {found.status === 'pending' && <Skeleton className="h-4 w-48" />}
      {found.status === 'error' && <span className="text-muted">{translateError(found.error)}</span>}
    </li>
  )
}
