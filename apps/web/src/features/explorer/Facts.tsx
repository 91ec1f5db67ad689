import { type CountersignError, errorCodes } from '@countersign/react'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChainFailure } from '../../chain/ChainStates.tsx'
import { t } from '../../i18n/translate.ts'
import { Card } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'

/** List of facts, name by name. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line text-sm">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** A long text of digits, whole, to be copied. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex items-center gap-1">
      <bdi className="font-mono text-[0.92em] break-all">{text}</bdi>
      <span className="-my-2.5">
        <CopyButton text={text} label={label} />
      </span>
    </span>
  )
}

type Props = {
  state: { status: 'pending' } | { status: 'error'; error: CountersignError }
  waiting: string
  failed: string
  missing: string
  onRetry: () => void
}

/** Placeholder for a page: loading, missing or failed. */
export function PageState({ state, waiting, failed, missing, onRetry }: Props) {
  if (state.status === 'pending') return <RowsSkeleton label={waiting} />
  // It is not there, or no such thing can be.
  const isMissing = [errorCodes.ObjectNotFound, errorCodes.InvalidValue].some((code) => code === state.error.code)
  return (
    <Card>
      {isMissing ? (
        <EmptyState icon={SearchX} title={t('Not found')}>
          {missing}
        </EmptyState>
      ) : (
        <ChainFailure error={state.error} title={failed} onRetry={onRetry} />
      )}
    </Card>
  )
}
