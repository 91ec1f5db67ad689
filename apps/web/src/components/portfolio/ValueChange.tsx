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
  const amount = formatUsd(by < 0n ? -by : by)
  const date = formatDate(new Date(first.time))
  const part = chartUsd(first.value) > 0 ? Math.abs(chartUsd(by)) / chartUsd(first.value) : undefined
  return (
    <p className={cx('text-sm font-semibold tabular-nums', by > 0n && 'text-ok')}>
      {by === 0n
        ? say('As much as on {date}', { date })
        : by > 0n
          ? say('{amount} more than on {date}', { amount, date })
          : say('{amount} less than on {date}', { amount, date })}
      {part !== undefined && by !== 0n && (
        <span className="font-normal text-muted"> ({getPercent().format(part)})</span>
      )}
    </p>
  )
}
