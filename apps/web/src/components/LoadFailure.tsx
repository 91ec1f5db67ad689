import type { CountersignError } from '@countersign/react'
import { CloudOff, Hourglass, WifiOff } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { describeError } from '../lib/describeError.ts'
import { say } from '../lib/say.ts'
import { useCountdown } from '../lib/useCountdown.ts'
import { useOnline } from '../lib/useOnline.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type Props = { title: string; error: CountersignError; onRetry: () => void }

/** A list that could not be read: why, and when to try again. */
export function LoadFailure({ title, error, onRetry }: Props) {
  const isOnline = useOnline()
  const { message, retryAfter } = describeError(error)
  const wasOffline = useRef(!isOnline)
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    if (isOnline && wasOffline.current) retry()
    wasOffline.current = !isOnline
  }, [isOnline])
  const secondsLeft = useCountdown(retryAfter, error)
  const icon = isOnline ? (retryAfter ? Hourglass : CloudOff) : WifiOff
  return (
    <div role="alert">
      <EmptyState
        icon={icon}
        title={title}
        actions={
          <Button onClick={onRetry} disabled={secondsLeft > 0}>
            {secondsLeft > 0 ? say('Try again in {seconds} s', { seconds: secondsLeft }) : say('Try again')}
          </Button>
        }
      >
        {isOnline ? message : say('You are offline. What is missing comes when the connection is back.')}
      </EmptyState>
    </div>
  )
}
