import type { ChainInfo } from '@countersign/react'
import { Navigate } from 'react-router'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { Badge } from '../Badge.tsx'
import { Card } from '../Card.tsx'
import { CardHeader } from '../CardHeader.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { BlockLink } from '../chain/BlockLink.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
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
        <PageHeader title="Transaction" />
        <PageState
          state={isMissing && block.status === 'pending' ? block : found}
          what="the transaction"
          missing={`${chain.name} knows no transaction or block with this hash. It may be on another chain.`}
          onRetry={found.refetch}
        />
      </>
    )
  const { result, source } = found.data
  const { from, to, contract, value, status, gasUsed, gas, gasPrice, nonce, input, call, logs = [] } = result
  const { symbol, decimals } = chain.nativeCurrency
  return (
    <>
      <PageHeader title="Transaction" />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name="Hash">
              <CopyableText text={hash} what="the hash" />
            </Fact>
            <Fact name="State">
              {!result.block ? (
                <Badge>Waits for a block</Badge>
              ) : status === 'failed' ? (
                <Badge tone="warn">Failed: nothing was changed, the fee was paid</Badge>
              ) : (
                <Badge tone="ok">Done</Badge>
              )}
            </Fact>
            {result.block && (
              <Fact name="Block">
                <BlockLink chain={chain.id} block={result.block.number} />,{' '}
                <RelativeTime date={new Date(result.block.timestamp)} />
              </Fact>
            )}
            <Fact name="From">
              <AddressLink chain={chain.id} address={from} whole />
            </Fact>
            {to && (
              <Fact name="To">
                <AddressLink chain={chain.id} address={to} whole />
              </Fact>
            )}
            {contract && (
              <Fact name="Contract made">
                <AddressLink chain={chain.id} address={contract} whole />
              </Fact>
            )}
            <Fact name="Value">
              <Amount amount={BigInt(value)} decimals={decimals} symbol={symbol} />
            </Fact>
            {gasUsed !== undefined && (
              <Fact name="Fee">
                <Amount amount={BigInt(gasUsed) * BigInt(gasPrice)} decimals={decimals} symbol={symbol} />
              </Fact>
            )}
            <Fact name="Gas">
              {gasUsed !== undefined && `${BigInt(gasUsed).toLocaleString()} of `}
              {BigInt(gas).toLocaleString()}
            </Fact>
            <Fact name="Number at its sender">{nonce.toLocaleString()}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={found.data.block} source={source} />
          </div>
        </Card>
        {input !== '0x' && (
          <Card className="text-sm">
            <CardHeader title={to ? `Call${call ? `: ${call.label}` : ''}` : 'Code of the new contract'} />
            {call && <DecodedView decoded={call} chain={chain.id} />}
            {!call && to && <p className="text-muted">The meaning of this call is not known here.</p>}
            <details className="mt-1">
              <summary className="inline-flex min-h-11 items-center text-xs font-semibold text-accent">
                As it is on the chain
              </summary>
              <p className="max-h-56 overflow-auto font-mono text-xs break-all text-muted">{input}</p>
            </details>
          </Card>
        )}
        {logs.length > 0 && (
          <Card>
            <CardHeader title={logs.length === 1 ? 'One event' : `${logs.length} events`} />
            <ol className="divide-y divide-line">
              {logs.map((log) => (
                <EventRow key={log.logIndex} log={log} chain={chain.id} />
              ))}
            </ol>
          </Card>
        )}
      </div>
    </>
  )
}
