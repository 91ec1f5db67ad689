import { type CountersignError, errorCodes } from '@countersign/react'
import { SearchX } from 'lucide-react'
import { say } from '../../lib/say.ts'
import { Card } from '../Card.tsx'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { RowsSkeleton } from '../RowsSkeleton.tsx'

type Props = {
  state: { status: 'pending' } | { status: 'error'; error: CountersignError }
  waiting: string
  failed: string
  missing: string
  onRetry: () => void
}

/** What stands in place of a page: on its way, not there, not to be had. */
export function PageState({ state, waiting, failed, missing, onRetry }: Props) {
  if (state.status === 'pending') return <RowsSkeleton label={waiting} />
  // It is not there, or no such thing can be.
  const isMissing = [errorCodes.ObjectNotFound, errorCodes.InvalidValue].some((code) => code === state.error.code)
  return (
    <Card>
      {isMissing ? (
        <EmptyState icon={SearchX} title={say('Not found')}>
          {missing}
        </EmptyState>
      ) : (
        <ChainFailure error={state.error} title={failed} onRetry={onRetry} />
      )}
    </Card>
  )
}
