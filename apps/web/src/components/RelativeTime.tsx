import { useEffect, useReducer } from 'react'
import { formatRelativeTime } from '../lib/formatRelativeTime.ts'
import { formatTime } from '../lib/formatTime.ts'

/** `3 minutes ago`, kept true while it is looked at; the full time on hover. */
export function RelativeTime({ date }: { date: Date }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)}>
      {formatRelativeTime(date)}
    </time>
  )
}
