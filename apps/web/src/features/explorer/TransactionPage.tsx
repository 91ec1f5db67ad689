import type { DecodedRecord, LogRecord, TransactionRecord } from '@countersign/protocol'
import { type ChainInfo, useToken } from '@countersign/react/chain'
import type { ReactNode } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { Amount, GasPrice } from '../../chain/Amount.tsx'
import { AddressLink, BlockLink, explorerPath } from '../../chain/ChainLinks.tsx'
import { SourceNote } from '../../chain/ChainStates.tsx'
import { useChainRequest } from '../../chain/useChainRequest.ts'
import { formatNumber } from '../../i18n/format.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'
import { ExplorerHeader } from './ExplorerHeader.tsx'
import { CopyableText, Fact, Facts, PageState } from './Facts.tsx'

export function TransactionPage({ chain, hash }: { chain: ChainInfo; hash: string }) {
  const found = useChainRequest('getTransaction', { chain: String(chain.id), hash })
  const [parameters] = useSearchParams()
  const isMissing = found.status === 'error' && found.error.code === 101
  // A block has a hash of the same shape.
  const block = useChainRequest('getBlock', { chain: String(chain.id), block: hash }, isMissing)
  if (isMissing && block.status === 'success')
    return <Navigate to={explorerPath(chain.id, 'block', block.data.result.number)} replace />
  if (found.status !== 'success')
    return (
      <>
        <ExplorerHeader title={t('Transaction')} />
        <PageState
          state={isMissing && block.status === 'pending' ? block : found}
          waiting={t('Loading transaction…')}
          failed={t('The transaction could not be loaded')}
          missing={t('No transaction or block with this hash on {chain}. It may be on another chain.', {
            chain: chain.name,
          })}
          onRetry={found.refetch}
        />
      </>
    )
  const { result, source } = found.data
  const { from, to, contract, value, gasUsed, gas, gasPrice, nonce, input, call, logs = [] } = result
  const { symbol, decimals } = chain.nativeCurrency
  const tabs = [
    ...(logs.length > 0 ? [{ name: 'events', label: describeCount(logs.length) }] : []),
    ...(input !== '0x' ? [{ name: 'call', label: describeCall(to, call?.label) }] : []),
  ]
  const view = tabs.find(({ name }) => name === parameters.get('show'))?.name ?? tabs[0]?.name ?? ''
  return (
    <>
      <ExplorerHeader title={t('Transaction')} />
      <div className="flex flex-col gap-6">
        <Card>
          <TransactionSummary chain={chain} transaction={result} />
          <Facts>
            <Fact name={t('Hash')}>
              <CopyableText text={hash} label={t('Copy hash')} />
            </Fact>
            {result.block && (
              <Fact name={t('Block')}>
                <BlockLink chain={chain.id} block={result.block.number} />,{' '}
                <RelativeTime date={new Date(result.block.timestamp)} />
              </Fact>
            )}
            <Fact name={t('From')}>
              <AddressLink chain={chain.id} address={from} whole />
            </Fact>
            {to && (
              <Fact name={t('To')}>
                <AddressLink chain={chain.id} address={to} whole />
              </Fact>
            )}
            {contract && (
              <Fact name={t('Contract created')}>
                <AddressLink chain={chain.id} address={contract} whole />
              </Fact>
            )}
            <Fact name={t('Value')}>
              <Amount amount={BigInt(value)} decimals={decimals} symbol={symbol} exact />
            </Fact>
            {gasUsed !== undefined && (
              <Fact name={t('Fee')}>
                <Amount amount={BigInt(gasUsed) * BigInt(gasPrice)} decimals={decimals} symbol={symbol} exact />
              </Fact>
            )}
            <Fact name={t('Gas')}>
              {gasUsed === undefined
                ? formatNumber(BigInt(gas))
                : t('{used} of {all}', { used: BigInt(gasUsed), all: BigInt(gas) })}
            </Fact>
            <Fact name={t('Gas price')}>
              <GasPrice wei={BigInt(gasPrice)} />
            </Fact>
            <Fact name={t('Nonce')}>{formatNumber(nonce)}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={found.data.block} source={source} />
          </div>
        </Card>
        {tabs.length > 0 && (
          <Card>
            <Tabs label={t('Transaction sections')} tabs={tabs} current={view} />
            {view === 'events' && (
              <VirtualRows label={describeCount(logs.length)} count={logs.length} estimate={190} keyOf={String}>
                {(index) => logs[index] && <EventRow log={logs[index]} chain={chain.id} />}
              </VirtualRows>
            )}
            {view === 'call' && (
              <div className="text-sm">
                {call && <DecodedView decoded={call} chain={chain.id} />}
                {!call && to && <p className="text-muted">{t('This call could not be decoded.')}</p>}
                <details className="mt-1">
                  <summary className="inline-flex min-h-11 items-center text-xs font-semibold text-accent">
                    {t('Raw data')}
                  </summary>
                  <p className="max-h-56 overflow-auto font-mono text-xs break-all text-muted">{input}</p>
                </details>
              </div>
            )}
          </Card>
        )}
      </div>
    </>
  )
}

const mostMoves = 3

/** Summary of a transaction, above its details. */
function TransactionSummary({ chain, transaction }: { chain: ChainInfo; transaction: TransactionRecord }) {
  const { from, to, contract, value, status, block, call, logs = [] } = transaction
  const { symbol, decimals } = chain.nativeCurrency
  const moves = logs.filter(isTransfer)
  const address = (each: string) => <AddressLink chain={chain.id} address={each} />
  const sentences: ReactNode[] = []
  if (BigInt(value) > 0n && to)
    sentences.push(
      <Trans
        text="Sent {what} to {address}"
        values={{ what: <Amount amount={BigInt(value)} decimals={decimals} symbol={symbol} />, address: address(to) }}
      />,
    )
  for (const log of moves.slice(0, mostMoves)) sentences.push(<Move log={log} chain={chain.id} />)
  if (contract) sentences.push(<Trans text="Created contract {address}" values={{ address: address(contract) }} />)
  if (sentences.length === 0 && to)
    sentences.push(
      call ? (
        <Trans text="Called {name} on {address}" values={{ name: <bdi>{call.label}</bdi>, address: address(to) }} />
      ) : (
        <Trans text="from {sender} to {receiver}" values={{ sender: address(from), receiver: address(to) }} />
      ),
    )
  return (
    <div className="mb-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <ul className="min-w-0 flex-1 basis-64 text-lg font-semibold">
        {sentences.map((sentence, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of one transaction, in their order
          <li key={place}>{sentence}</li>
        ))}
        {moves.length > mostMoves && (
          <li className="text-sm font-normal text-muted">
            {t('{count, plural, one {and # more transfer} other {and # more transfers}}', {
              count: moves.length - mostMoves,
            })}
          </li>
        )}
      </ul>
      {!block ? (
        <Badge>{t('Pending')}</Badge>
      ) : status === 'failed' ? (
        <Badge tone="warn">{t('Failed: reverted, fee charged')}</Badge>
      ) : (
        <Badge tone="ok">{t('Success')}</Badge>
      )}
    </div>
  )
}

type Log = Omit<LogRecord, 'block'>

/** A transfer of a token, as ERC-20 and ERC-721 tell it. */
const isTransfer = ({ decoded }: Log) =>
  decoded?.label === 'Transfer' && decoded.params.length === 3 && typeof decoded.params[1]?.value === 'string'

function Move({ log, chain }: { log: Log; chain: number }) {
  const token = useToken({ token: log.address, chain })
  const known = token.status === 'success' ? token.data : undefined
  const [, to, last] = log.decoded?.params ?? []
  const number = typeof last?.value === 'string' && /^\d+$/.test(last.value) ? BigInt(last.value) : 0n
  const what =
    known?.decimals === undefined ? (
      <bdi>
        {known?.name || t('NFT')} #{shortenId(String(number))}
      </bdi>
    ) : (
      <Amount amount={number} decimals={known.decimals} symbol={known.symbol} />
    )
  return (
    <Trans
      text="Transferred {what} to {address}"
      values={{ what, address: <AddressLink chain={chain} address={String(to?.value)} /> }}
    />
  )
}

const shortenId = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id)

const describeCount = (count: number) => t('{count, plural, one {# event} other {# events}}', { count })

function describeCall(to: string | undefined, name: string | undefined): string {
  if (!to) return t('Contract creation code')
  return name === undefined ? t('Call') : t('Call: {name}', { name })
}

type Props = { log: Omit<LogRecord, 'block'>; chain: string | number }

/** One event: in words where its meaning is known, and as the chain has it. */
function EventRow({ log, chain }: Props) {
  const { address, decoded, topics, data, logIndex } = log
  const token = useToken({ token: address, chain })
  const known = token.status === 'success' ? token.data : undefined
  const amount = decoded && findAmount(decoded.params)
  return (
    <div className="py-4 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-xs text-muted tabular-nums">#{logIndex}</span>
        <span className="font-semibold">{decoded?.label ?? t('Unknown event')}</span>
        {amount !== undefined && known?.decimals !== undefined && (
          <Amount amount={amount} decimals={known.decimals} symbol={known.symbol} />
        )}
        <span className="text-muted">
          <Trans
            text="by {contract}"
            values={{ contract: <AddressLink chain={chain} address={address} label={known?.name} /> }}
          />
        </span>
      </p>
      <div className="mt-2">
        {decoded && <DecodedView decoded={decoded} chain={chain} />}
        <details className="mt-1">
          <summary className="inline-flex min-h-11 items-center text-xs font-semibold text-accent">
            {t('Raw data')}
          </summary>
          <ol className="font-mono text-xs break-all">
            {topics.map((topic, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: topics may be equal; their order stays
              <li key={place}>{topic}</li>
            ))}
          </ol>
          <p className="mt-1 max-h-40 overflow-auto font-mono text-xs break-all text-muted">{data}</p>
        </details>
      </div>
    </div>
  )
}

/** The amount of a transfer or an approval: the last parameter, if it is a number and no id. */
function findAmount(params: { name: string; type: string; value: unknown }[]): bigint | undefined {
  const last = params.at(-1)
  if (params.length !== 3 || last?.type !== 'uint256' || /id/i.test(last.name)) return undefined
  return typeof last.value === 'string' && /^\d+$/.test(last.value) ? BigInt(last.value) : undefined
}

/** A call or an event in words: its name, and what it was given. */
function DecodedView({ decoded, chain }: { decoded: DecodedRecord; chain: string | number }) {
  return (
    <div>
      <p className="font-mono text-[0.92em] break-all text-muted">
        <bdi>{decoded.signature}</bdi>
      </p>
      <dl className="mt-1.5 grid gap-1">
        {decoded.params.map(({ name, type, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of parameters may be absent or repeated; their order stays
          <div key={place} className="flex flex-wrap gap-x-2">
            <dt className="text-muted">
              {name || `#${place + 1}`} <span className="text-xs">{type}</span>
            </dt>
            <dd className="min-w-0 break-all">
              {type === 'address' && typeof value === 'string' ? (
                <AddressLink chain={chain} address={value.toLowerCase()} whole />
              ) : (
                <bdi className="font-mono text-[0.92em]">
                  {typeof value === 'string' ? value : JSON.stringify(value)}
                </bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
