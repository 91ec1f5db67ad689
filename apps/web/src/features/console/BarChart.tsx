import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { cx } from '../../ui/cx.ts'
import { formatMinute } from './describe.ts'

export type Bar = {
  at: Date
  value: number
  /** A part of the value that is drawn apart. */
  part?: number
}

type Props = {
  label: string
  /** Label of the part. */
  partLabel?: string
  bars: readonly Bar[]
  format: (value: number) => string
}

/** Figures over time as bars, and the same figures as a table. */
export function BarChart({ label, partLabel, bars, format }: Props) {
  const [isOpen, setOpen] = useState(false)
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const filled = bars.filter(({ value }) => value > 0)
  return (
    <figure className="mt-3">
      {/* Time runs from left to right in every language here, as on most charts. */}
      <div dir="ltr" aria-hidden="true" className="relative h-28 border-b border-line">
        <span className="absolute top-0 left-0 text-xs text-muted tabular-nums">{format(most)}</span>
        <div className="flex h-full items-end gap-px">
          {bars.map(({ at, value, part = 0 }) => (
            <span
              key={at.getTime()}
              title={`${formatMinute(at)}: ${format(value)}`}
              className="group flex h-full min-w-0 flex-1 items-end hover:bg-sunken"
            >
              <span
                className="flex w-full flex-col justify-end rounded-t-sm bg-accent"
                style={{ height: `${(value / most) * 100}%` }}
              >
                {part > 0 && <span className="w-full bg-danger" style={{ height: `${(part / value) * 100}%` }} />}
              </span>
            </span>
          ))}
        </div>
      </div>
      <p dir="ltr" aria-hidden="true" className="mt-1.5 flex justify-between gap-4 text-xs text-muted">
        <bdi>{bars[0] && formatMinute(bars[0].at)}</bdi>
        <bdi>{t('Now')}</bdi>
      </p>
      <details className="mt-1 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="inline-flex min-h-11 items-center font-semibold text-accent">{t('Show as table')}</summary>
        {isOpen && (
          <table className="w-full text-start tabular-nums">
            <thead>
              <tr className="text-xs text-muted">
                <th className="py-1 text-start font-semibold">{t('Time')}</th>
                <th className="py-1 text-end font-semibold">{label}</th>
                {partLabel && <th className="py-1 text-end font-semibold">{partLabel}</th>}
              </tr>
            </thead>
            <tbody>
              {filled.toReversed().map(({ at, value, part = 0 }) => (
                <tr key={at.getTime()} className="border-t border-line">
                  <td className="py-1">{formatMinute(at)}</td>
                  <td className="py-1 text-end">{format(value)}</td>
                  {partLabel && <td className={cx('py-1 text-end', part > 0 && 'text-danger')}>{format(part)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </details>
    </figure>
  )
}
