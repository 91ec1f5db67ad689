import { byLocale } from './byLocale.ts'
import { say } from './say.ts'
import { serverClock } from './serverClock.ts'

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
    if (Math.abs(seconds) >= size) return getFormat().format(Math.trunc(seconds / size), unit)
  return say('just now')
}
