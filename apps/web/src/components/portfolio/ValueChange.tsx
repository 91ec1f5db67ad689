import { byLocale } from '../../lib/byLocale.ts'
import { chartUsd, formatUsd } from '../../lib/chain/usd.ts'
import type { ValuePoint } from '../../lib/chain/ValuePoint.ts'
import { cx } from '../../lib/cx.ts'
import { formatDate } from '../../lib/formatDate.ts'
import { say } from '../../lib/say.ts'

const getPercent = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))

/** How much more or less it is than at the beginning. */
export function ValueChange({ points }: { points: readonly ValuePoint[] }) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const by = last.value - first.value
  return (
    <p className={cx('text-sm font-semibold tabular-nums wrap-anywhere', by > 0n && 'text-ok')}>
      {describe(by, first.value, formatDate(new Date(first.time)))}
    </p>
  )
}

function describe(by: bigint, before: bigint, date: string): string {
  if (by === 0n) return say('As much as on {date}', { date })
  const amount = formatUsd(by < 0n ? -by : by)
  const base = chartUsd(before)
  if (base === 0) return say('{amount} more than on {date}', { amount, date })
  const part = getPercent().format(Math.abs(chartUsd(by)) / base)
  if (by > 0n) return say('{amount} ({part}) more than on {date}', { amount, part, date })
  return say('{amount} ({part}) less than on {date}', { amount, part, date })
}
