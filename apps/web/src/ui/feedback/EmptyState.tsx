import type { CountersignError } from '@countersign/react'
import { CloudOff, Hourglass, type LucideIcon, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../Button.tsx'
import { describeError } from '../forms/describeError.ts'
import { useCountdown } from '../forms/useCountdown.ts'
import { useOnline } from '../useOnline.ts'

type Props = {
  icon: LucideIcon
  /** Absent if the page's own title is enough. */
  title?: string
  children?: ReactNode
  actions?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, actions }: Props) {
  return (
    <div className="flex flex-col items-center px-4 py-8 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon size={22} aria-hidden="true" />
      </span>
      {title && <p className="mt-4 font-semibold">{title}</p>}
      {children && <p className="mt-1 max-w-sm first-of-type:mt-4 text-sm text-muted wrap-anywhere">{children}</p>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

type LoadFailureProps = { title: string; error: CountersignError; onRetry: () => void }

/** A list that could not be read: why, and when to try again. */
export function LoadFailure({ title, error, onRetry }: LoadFailureProps) {
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
            {secondsLeft > 0 ? t('Try again in {seconds} s', { seconds: secondsLeft }) : t('Try again')}
          </Button>
        }
      >
        {isOnline ? message : t('You’re offline. Missing data will load when you’re back online.')}
      </EmptyState>
    </div>
  )
}
