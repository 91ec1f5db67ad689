import type { ChainSource } from '@countersign/protocol'
import { type CountersignError, errorCodes } from '@countersign/react'
import { CircleSlash, Link2Off } from 'lucide-react'
import { useConfig } from '../config/config.ts'
import { Trans } from '../i18n/Trans.tsx'
import { t, translateError } from '../i18n/translate.ts'
import { Card } from '../ui/Card.tsx'
import { EmptyState, LoadFailure } from '../ui/feedback/EmptyState.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { BlockLink } from './ChainLinks.tsx'

type Props = { error: CountersignError; title: string; onRetry: () => void }

/**
 * Reason for missing chain data. A feature that this server does not offer is not a failure, and a retry does not help.
 */
export function ChainFailure({ error, title, onRetry }: Props) {
  if (error.code !== errorCodes.CommandUnavailable) return <LoadFailure error={error} title={title} onRetry={onRetry} />
  return (
    <EmptyState icon={CircleSlash} title={t('Not available')}>
      {translateError(error)}
    </EmptyState>
  )
}

/** Nothing can be read where no node is. */
export function NoChain() {
  // Outside production the reader is likely to be the operator.
  const { demoWallet: isDevelopment } = useConfig()
  return (
    <Card>
      <EmptyState icon={Link2Off} title={t('No chains configured')}>
        {isDevelopment
          ? t(
              'No chains are set up on this server. Its operator can add one, with a node URL, under “chains” in the configuration.',
            )
          : t('On-chain data isn’t available here.')}
      </EmptyState>
    </Card>
  )
}

type SourceNoteProps = {
  chain: number | string
  chainName?: string | undefined
  block: { number: number; timestamp: Date | string }
  source?: ChainSource | undefined
  isSyncing?: boolean
}

const describeSource = (source: ChainSource) =>
  ({
    node: t('read from the node'),
    cache: t('as last read from the node'),
    index: t('from the server’s index'),
  })[source]

/** Block of the data, its age and its source. */
export function SourceNote({ chain, chainName, block, source, isSyncing = false }: SourceNoteProps) {
  const number = <BlockLink chain={chain} block={block.number} />
  const age = <RelativeTime date={new Date(block.timestamp)} />
  return (
    <p className="text-xs text-muted">
      {chainName !== undefined && (
        <>
          <bdi>{chainName}</bdi>
          {': '}
        </>
      )}
      {source ? (
        <Trans text="block {number}, {age}, {source}." values={{ number, age, source: describeSource(source) }} />
      ) : (
        <Trans text="block {number}, {age}." values={{ number, age }} />
      )}
      {isSyncing && ` ${t('Older blocks are still being indexed. Some data may be missing.')}`}
    </p>
  )
}
