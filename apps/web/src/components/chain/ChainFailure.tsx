import { type CountersignError, errorCodes } from '@countersign/react'
import { CircleSlash } from 'lucide-react'
import { say } from '../../lib/say.ts'
import { translateError } from '../../lib/translateError.ts'
import { EmptyState } from '../EmptyState.tsx'
import { LoadFailure } from '../LoadFailure.tsx'

type Props = { error: CountersignError; title: string; onRetry: () => void }

/** Why something of a chain is not there. What this server does not offer is no fault, and trying again is no help. */
export function ChainFailure({ error, title, onRetry }: Props) {
  if (error.code !== errorCodes.CommandUnavailable) return <LoadFailure error={error} title={title} onRetry={onRetry} />
  return (
    <EmptyState icon={CircleSlash} title={say('Not available here')}>
      {translateError(error)}
    </EmptyState>
  )
}
