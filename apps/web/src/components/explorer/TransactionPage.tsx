import type { ChainInfo } from '@countersign/react'
import { Navigate } from 'react-router'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { formatNumber } from '../../lib/formatNumber.ts'
import { say } from '../../lib/say.ts'
import { Badge } from '../Badge.tsx'
import { Card } from '../Card.tsx'
import { CardHeader } from '../CardHeader.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { BlockLink } from '../chain/BlockLink.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { VirtualRows } from '../chain/VirtualRows.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { CopyableText } from './CopyableText.tsx'
import { DecodedView } from './DecodedView.tsx'
import { EventRow } from './EventRow.tsx'
import { Fact } from './Fact.tsx'
import { Facts } from './Facts.tsx'
import { PageState } from './PageState.tsx'

export function TransactionPage({ chain, hash }: { chain: ChainInfo; hash: string }) {
  const found = useChainRequest('getTransaction', { chain: String(chain.id), hash })
  const isMissing = found.status === 'error' && found.error.code === 101
  // A block has a hash of the same shape.
  const block = useChainRequest('getBlock', { chain: String(chain.id), block: hash }, isMissing)
  if (isMissing && block.status === 'success')
    return <Navigate to={explorerPath(chain.id, 'block', block.data.result.number)} replace />
  if (found.status !== 'success')
    return (
      <>
        <PageHeader title={say('Transaction')} />
        <PageState
          state={isMissing && block.status === 'pending' ? block : found}
          waiting={say('Loading the transaction…')}
          failed={say('The transaction could not be loaded')}
          missing={say('{chain} knows no transaction or block with this hash. It may be on another chain.', {
            chain: chain.name,
          })}
          onRetry={found.refetch}
        />
      </>
    )
  const { result, source } = found.data
  const { from, to, contract, value, status, gasUsed, gas, gasPrice, nonce, input, call, logs = [] } = result
  const { symbol, decimals } = chain.nativeCurrency
  return (
    <>
      <PageHeader title={say('Transaction')} />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name={say('Hash')}>
              <CopyableText text={hash} label={say('Copy the hash')} />
            </Fact>
            <Fact name={say('State')}>
              {!result.block ? (
                <Badge>{say('Waits for a block')}</Badge>
              ) : status === 'failed' ? (
                <Badge tone="warn">{say('Failed: nothing was changed, the fee was paid')}</Badge>
              ) : (
                <Badge tone="ok">{say('Done')}</Badge>
              )}
            </Fact>
            {result.block && (
              <Fact name={say('Block')}>
                <BlockLink chain={chain.id} block={result.block.number} />,{' '}
                <RelativeTime date={new Date(result.block.timestamp)} />
              </Fact>
            )}
            <Fact name={say('From')}>
              <AddressLink chain={chain.id} address={from} whole />
            </Fact>
            {to && (
              <Fact name={say('To')}>
                <AddressLink chain={chain.id} address={to} whole />
              </Fact>
            )}
            {contract && (
              <Fact name={say('Contract made')}>
                <AddressLink chain={chain.id} address={contract} whole />
              </Fact>
            )}
            <Fact name={say('Value')}>
              <Amount amount={BigInt(value)} decimals={decimals} symbol={symbol} />
            </Fact>
            {gasUsed !== undefined && (
              <Fact name={say('Fee')}>
                <Amount amount={BigInt(gasUsed) * BigInt(gasPrice)} decimals={decimals} symbol={symbol} />
              </Fact>
            )}
            <Fact name={say('Gas')}>
              {gasUsed === undefined
                ? formatNumber(BigInt(gas))
                : say('{used} of {all}', { used: BigInt(gasUsed), all: BigInt(gas) })}
            </Fact>
            <Fact name={say('Number at its sender')}>{formatNumber(nonce)}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={found.data.block} source={source} />
          </div>
        </Card>
        {input !== '0x' && (
          <Card className="text-sm">
            <CardHeader title={describeCall(to, call?.label)} />
            {call && <DecodedView decoded={call} chain={chain.id} />}
            {!call && to && <p className="text-muted">{say('The meaning of this call is not known here.')}</p>}
            <details className="mt-1">
              <summary className="inline-flex min-h-11 items-center text-xs font-semibold text-accent">
                {say('As it is on the chain')}
              </summary>
              <p className="max-h-56 overflow-auto font-mono text-xs break-all text-muted">{input}</p>
            </details>
          </Card>
        )}
        {logs.length > 0 && (
          <Card>
            <CardHeader title={describeCount(logs.length)} />
            <VirtualRows label={describeCount(logs.length)} count={logs.length} estimate={190} keyOf={String}>
              {(index) => logs[index] && <EventRow log={logs[index]} chain={chain.id} />}
            </VirtualRows>
          </Card>
        )}
      </div>
    </>
  )
}

const describeCount = (count: number) => say('{count, plural, one {# event} other {# events}}', { count })

function describeCall(to: string | undefined, name: string | undefined): string {
  if (!to) return say('Code of the new contract')
  return name === undefined ? say('Call') : say('Call: {name}', { name })
}
