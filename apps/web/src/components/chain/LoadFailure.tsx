import type { CountersignError } from '@countersign/react'
import { CircleSlash, CloudOff, Hourglass, WifiOff } from 'lucide-react'
import { describeError } from '../../lib/describeError.ts'
import { useCountdown } from '../../lib/useCountdown.ts'
import { useOnline } from '../../lib/useOnline.ts'
import { Button } from '../Button.tsx'
import { EmptyState } from '../EmptyState.tsx'

type Props = { error: CountersignError; title: string; onRetry: () => void }

/** Why something is not there: offline, asked too often, not offered by this server, or a fault; and what helps. */
export function LoadFailure({ error, title, onRetry }: Props) {
  const isOnline = useOnline()
  const { message, retryAfter } = describeError(error)
  const left = useCountdown(retryAfter, error)
  const retry = (
    <Button onClick={onRetry} disabled={left > 0}>
      {left > 0 ? `Try again in ${left} s` : 'Try again'}
    </Button>
  )
  if (!isOnline)
    return (
      <div role="alert">
        <EmptyState icon={WifiOff} title="You are offline" actions={retry}>
          This is read from the chain and comes when you are connected again.
        </EmptyState>
      </div>
    )
  if (error.code === 155 || error.status === 429)
    return (
      <div role="alert">
        <EmptyState icon={Hourglass} title="That was a lot at once" actions={retry}>
          {message}
        </EmptyState>
      </div>
    )
  if (error.code === 108)
    return (
      <EmptyState icon={CircleSlash} title="Not available here">
        {message}
      </EmptyState>
    )
  return (
    <div role="alert">
      <EmptyState icon={CloudOff} title={title} actions={retry}>
        {message}
      </EmptyState>
    </div>
  )
}
