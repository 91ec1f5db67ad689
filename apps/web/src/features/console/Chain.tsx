import type { ChainStatusRecord, NodeRecord, StateRecord, SyncRecord } from '@countersign/protocol'
import { Blocks, FileStack, Link2, Server } from 'lucide-react'
import { useState } from 'react'
import { useChainName } from '../../chain/useChainName.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAct, useAsk, useConsole } from './ask.ts'
import { CodeBox } from './CodeBox.tsx'
import { DocsLink } from './DocsLink.tsx'
import { formatDuration } from './formats.ts'
import { SyncForm } from './SyncForm.tsx'

/** Milliseconds between two looks at what moves. */
const freshness = 5_000

/** Chains with their nodes and how far they are read; events of contracts, and what is worked out from them. */
export function Chain() {
  const chains = useAsk('getChainStatus', {}, { every: freshness })
  return (
    <>
      <PageHeader title={t('Chains')}>{t('Node health, index progress and contract events.')}</PageHeader>
      <div className="flex flex-col gap-6">
        <ReadingStatus reading={chains} failure={t('The chains could not be loaded')} />
        {chains.data?.results.length === 0 && (
          <Card>
            <EmptyState icon={Blocks} title={t('No chains with a node')} actions={<DocsLink page="chain-data" />}>
              {t('Set nodes in “chains” in the configuration.')}
            </EmptyState>
          </Card>
        )}
        {chains.data?.results.map((chain) => (
          <ChainCard key={chain.chain} chain={chain} />
        ))}
        {chains.data && <Syncs chains={chains.data.results} />}
        {chains.data && <States />}
      </div>
    </>
  )
}

function ChainCard({ chain: { chain, name, head, headError, nodes, index } }: { chain: ChainStatusRecord }) {
  return (
    <Card aria-labelledby={`chain-${chain}`}>
      <CardHeader
        id={`chain-${chain}`}
        title={`${name} (${chain})`}
        isNarrow
        aside={index && <SyncBadge status={index.status} />}
      />
      {(headError ?? index?.error) && (
        <Alert tone="warn" className="mb-4">
          {headError ?? index?.error}
        </Alert>
      )}
      <DetailList>
        {head && (
          <Detail name={t('Latest block')}>
            {formatNumber(head.number)} · <RelativeTime date={new Date(head.at)} />
          </Detail>
        )}
        {index && (
          <>
            <Detail name={t('Indexed up to')}>
              {formatNumber(index.block)} · <RelativeTime date={new Date(index.blockTime)} />
            </Detail>
            <Detail name={t('Finalized up to')}>{formatNumber(index.finalized)}</Detail>
            <Detail name={t('Older blocks')}>
              <span className="flex items-center gap-3">
                <Progress label={t('Older blocks')} value={index.progress} className="w-32" />
                {percent(index.progress)}
                {index.blocksLeft > 0 &&
                  ` · ${t('{count, plural, one {# block left} other {# blocks left}}', { count: index.blocksLeft })}`}
              </span>
            </Detail>
            <Detail name={t('Blocks per second')}>{formatNumber(Math.round(index.blocksPerSecond * 10) / 10)}</Detail>
            <Detail name={t('Watched')}>
              {t('{count, plural, one {# contract} other {# contracts}}', { count: index.contracts })} ·{' '}
              {t('{count, plural, one {# address} other {# addresses}}', { count: index.addresses })}
            </Detail>
            {!index.running && <Detail name={t('Status')}>{t('No server is indexing this chain.')}</Detail>}
          </>
        )}
      </DetailList>
      <h3 className="mt-5 mb-1 text-base">{t('Nodes')}</h3>
      {nodes.length === 0 && <p className="text-sm text-muted">{t('No chains with a node')}</p>}
      <ul className="-mb-3.5 divide-y divide-line">
        {nodes.map((node, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two nodes of one host differ by their place alone
          <NodeRow key={place} node={node} />
        ))}
      </ul>
    </Card>
  )
}

const percent = (part: number) => `${formatNumber(Math.floor(part * 1000) / 10)} %`

function NodeRow({ node }: { node: NodeRecord }) {
  const { host, status, requests, failures, requestsPerSecond, latency, lastError } = node
  return (
    <DetailRow
      icon={<RowIcon icon={Server} />}
      title={host}
      aside={
        <Badge tone={status === 'ready' ? 'ok' : status === 'resting' ? 'warn' : 'neutral'}>
          {describeNode(status)}
        </Badge>
      }
      facts={[latency !== undefined && formatDuration(latency), lastError]}
    >
      <DetailList>
        <Detail name={t('Requests')}>{formatNumber(requests)}</Detail>
        <Detail name={t('Failures')}>{formatNumber(failures)}</Detail>
        <Detail name={t('Requests per second')}>{formatNumber(requestsPerSecond)}</Detail>
        {latency !== undefined && <Detail name={t('Latency')}>{formatDuration(latency)}</Detail>}
        {lastError && <Detail name={t('Last error')}>{lastError}</Detail>}
      </DetailList>
    </DetailRow>
  )
}

function describeNode(status: NodeRecord['status']): string {
  if (status === 'ready') return t('Ready')
  return status === 'resting' ? t('Failing') : t('Unused')
}

function SyncBadge({ status }: { status: 'SYNCED' | 'SYNCING' }) {
  return status === 'SYNCED' ? (
    <Badge tone="ok">{t('Up to date')}</Badge>
  ) : (
    <Badge tone="warn">{t('Catching up')}</Badge>
  )
}

type Waiting = { title: string; description: string; confirm: string; work: () => Promise<unknown> }

/** Asks once more, since rows are removed by it. */
function useConfirmed(onDone: () => void) {
  const [waiting, setWaiting] = useState<Waiting>()
  const [pending, setPending] = useState(false)
  const carryOut = async () => {
    setPending(true)
    const done = await waiting?.work()
    setPending(false)
    setWaiting(undefined)
    if (!done) return
    toasts.add(t('Done'), 'ok')
    onDone()
  }
  const dialog = (
    <ConfirmDialog
      open={waiting !== undefined}
      onOpenChange={() => setWaiting(undefined)}
      title={waiting?.title ?? ''}
      description={waiting?.description}
      confirm={waiting?.confirm ?? ''}
      pending={pending}
      danger
      onConfirm={() => void carryOut()}
    />
  )
  return { ask: setWaiting, dialog }
}

function Syncs({ chains }: { chains: ChainStatusRecord[] }) {
  const isAdmin = useConsole().role === 'admin'
  const act = useAct()
  const syncs = useAsk('listSyncs', {}, { every: freshness })
  const { ask, dialog } = useConfirmed(syncs.refetch)
  const [edited, setEdited] = useState<SyncRecord | 'new'>()
  return (
    <Card aria-labelledby="syncs">
      <CardHeader id="syncs" title={t('Contract events')} />
      <ReadingStatus reading={syncs} failure={t('The events could not be loaded')} bare />
      {syncs.data?.results.length === 0 && <EmptyState icon={Link2} title={t('No synced events')} />}
      <ul className="divide-y divide-line">
        {syncs.data?.results.map((sync) => (
          <SyncRow
            key={`${sync.chain} ${sync.name}`}
            sync={sync}
            isAdmin={isAdmin}
            onEdit={() => setEdited(sync)}
            onReplay={() =>
              ask({
                title: t('Re-index {name}?', { name: sync.name }),
                description: t('All rows are deleted and indexed again from the first block.'),
                confirm: t('Re-index'),
                work: () => act('replaySync', { chain: String(sync.chain), name: sync.name }),
              })
            }
            onRemove={() =>
              ask({
                title: t('Remove {name}?', { name: sync.name }),
                description: t('No longer synced. Existing rows are kept.'),
                confirm: t('Remove'),
                work: () => act('deleteSync', { chain: String(sync.chain), name: sync.name }),
              })
            }
          />
        ))}
      </ul>
      {isAdmin && chains.length > 0 && (
        <Button look="secondary" className="mt-4" onClick={() => setEdited('new')}>
          {t('Sync an event')}
        </Button>
      )}
      {edited && (
        <SyncForm
          chains={chains}
          {...(edited !== 'new' && { sync: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={syncs.refetch}
        />
      )}
      {dialog}
    </Card>
  )
}

type SyncRowProps = {
  sync: SyncRecord
  isAdmin: boolean
  onEdit: () => void
  onReplay: () => void
  onRemove: () => void
}

function SyncRow({ sync, isAdmin, onEdit, onReplay, onRemove }: SyncRowProps) {
  const nameChain = useChainName()
  const { name, chain, class: className, origin, status, blocksLeft, startBlock, children, error, definition } = sync
  return (
    <DetailRow
      icon={<RowIcon icon={Link2} />}
      heading="h3"
      title={name}
      aside={<SyncBadge status={status} />}
      facts={[
        className,
        nameChain(chain),
        blocksLeft > 0 && t('{count, plural, one {# block left} other {# blocks left}}', { count: blocksLeft }),
        error,
      ]}
    >
      <DetailList>
        <Detail name={t('Source')}>{origin === 'config' ? t('Configuration file') : t('Created by a request')}</Detail>
        {startBlock !== undefined && <Detail name={t('First block')}>{formatNumber(startBlock)}</Detail>}
        {children !== undefined && <Detail name={t('Factory contracts')}>{formatNumber(children)}</Detail>}
        {error && <Detail name={t('Last error')}>{error}</Detail>}
      </DetailList>
      <div className="mt-3">
        <CodeBox label={t('Definition of {name}', { name })} text={JSON.stringify(definition, null, 2)} />
      </div>
      {isAdmin && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button look="secondary" onClick={onReplay}>
            {t('Re-index')}
          </Button>
          {origin === 'stored' && (
            <Button look="secondary" onClick={onEdit}>
              {t('Edit')}
            </Button>
          )}
          {origin === 'stored' && (
            <Button look="danger-quiet" onClick={onRemove}>
              {t('Remove')}
            </Button>
          )}
        </div>
      )}
    </DetailRow>
  )
}

function States() {
  const isAdmin = useConsole().role === 'admin'
  const act = useAct()
  const states = useAsk('listStates', {}, { every: freshness })
  const { ask, dialog } = useConfirmed(states.refetch)
  return (
    <Card aria-labelledby="states">
      <CardHeader id="states" title={t('Computed state')}>
        {t('Objects that cloud code computes from events.')}
      </CardHeader>
      <ReadingStatus reading={states} failure={t('Computed state could not be loaded')} bare />
      {states.data?.results.length === 0 && <EmptyState icon={FileStack} title={t('No computed state')} />}
      <ul className="-mb-3.5 divide-y divide-line">
        {states.data?.results.map((state) => (
          <StateRow
            key={state.name}
            state={state}
            isAdmin={isAdmin}
            onReplay={() =>
              ask({
                title: t('Recompute {name}?', { name: state.name }),
                description: t('All objects are deleted and recomputed from the first event.'),
                confirm: t('Recompute'),
                work: () => act('replayState', { name: state.name }),
              })
            }
          />
        ))}
      </ul>
      {dialog}
    </Card>
  )
}

function StateRow({ state, isAdmin, onReplay }: { state: StateRecord; isAdmin: boolean; onReplay: () => void }) {
  const nameChain = useChainName()
  const { name, chain, events, classes, version, status, block, error } = state
  return (
    <DetailRow
      icon={<RowIcon icon={FileStack} />}
      heading="h3"
      title={name}
      aside={<SyncBadge status={status} />}
      facts={[classes.join(', '), nameChain(chain), error]}
    >
      <DetailList>
        <Detail name={t('Events')}>{events.join(', ')}</Detail>
        <Detail name={t('Indexed up to')}>{formatNumber(block)}</Detail>
        <Detail name={t('Version')}>{formatNumber(version)}</Detail>
        {error && <Detail name={t('Last error')}>{error}</Detail>}
      </DetailList>
      {isAdmin && (
        <Button look="secondary" className="mt-3" onClick={onReplay}>
          {t('Recompute')}
        </Button>
      )}
    </DetailRow>
  )
}
