import { useEffect, useReducer } from 'react'
import { serverClock } from '../config/serverClock.ts'
import { byLocale, formatTime } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'

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

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const getFormat = byLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

/** `3 minutes ago`, `yesterday`, `in 2 days`; within a minute: `just now`. */
export function formatRelativeTime(date: Date, now = serverClock.now()): string {
  const seconds = (date.getTime() - now) / 1000
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) {
      // An end in 90 days is not one in 2 months a second later.
      const count = seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size)
      return getFormat().format(count, unit)
    }
  return t('just now')
}
