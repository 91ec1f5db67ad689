import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { BlockLink } from '../../chain/ChainLinks.tsx'
import { chartUsd, formatUsd } from '../../chain/usd.ts'
import { formatDate, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import type { ValuePoint } from './sumValues.ts'

type Props = {
  points: readonly ValuePoint[]
  /** Caption: drawn data, and missing data. */
  children: ReactNode
}

const width = 1000
const height = 240

/** A line of values over time: by pointer, by keyboard, and as a table. */
export const ValueChart = memo(function ValueChart({ points, children }: Props) {
  const id = useId()
  const [at, setAt] = useState<number>()
  const last = points.length - 1
  const first = points[0]?.time ?? 0
  const span = Math.max(1, (points[last]?.time ?? 0) - first)
  const values = useMemo(() => points.map(({ value }) => chartUsd(value)), [points])
  const { low, high } = useMemo(() => findScale(values), [values])
  const x = (place: number) => ((points[place]?.time ?? first) - first) / span
  const y = (place: number) => 1 - ((values[place] ?? low) - low) / (high - low)
  const line = points
    .map((_point, place) => `${place ? 'L' : 'M'}${(x(place) * width).toFixed(1)} ${(y(place) * height).toFixed(1)}`)
    .join('')
  const shown = at === undefined ? undefined : points[at]
  const current = shown ?? points[last]

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const time = first + ((event.clientX - box.left) / box.width) * span
    setAt(findNearest(points, time))
  }
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7, Home: -last, End: last }[event.key]
    if (event.key === 'Escape') setAt(undefined)
    if (by === undefined) return
    event.preventDefault()
    setAt((before) => Math.min(last, Math.max(0, (before ?? last) + by)))
  }
  return (
    <figure>
      {/* Time runs from left to right in every language here, as on most charts. */}
      <div
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={t('Point in time')}
        aria-describedby={id}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={current && `${formatDate(new Date(current.time))}: ${formatUsd(current.value)}`}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setAt(undefined)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt(last)}
        onBlur={() => setAt(undefined)}
        onKeyDown={move}
        className="relative mt-2 h-48 touch-pan-y rounded-control sm:h-60"
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" className="size-full">
          {[0, 0.5, 1].map((part) => (
            <path
              key={part}
              d={`M0 ${part * height}H${width}`}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          <path d={`${line}L${width} ${height}L0 ${height}Z`} className="fill-accent-soft opacity-70" />
          <path
            d={line}
            fill="none"
            strokeWidth="2"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-accent"
          />
        </svg>
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 start-0 text-xs text-muted tabular-nums"
        >
          <span className="absolute top-1 start-0 rounded-sm bg-surface/80 px-1">{formatRound(high)}</span>
          <span className="absolute bottom-1 start-0 rounded-sm bg-surface/80 px-1">{formatRound(low)}</span>
        </span>
        {shown && at !== undefined && <Tip point={shown} left={x(at)} top={y(at)} />}
      </div>
      <p dir="ltr" aria-hidden="true" className="mt-1.5 flex justify-between text-xs text-muted">
        <bdi>{formatDate(new Date(first))}</bdi>
        <bdi>{t('Now')}</bdi>
      </p>
      <figcaption id={id} className="mt-2 text-xs text-muted">
        {children}
      </figcaption>
      <ValueTable points={points} />
    </figure>
  )
})

/** Tooltip at the pointer or keyboard position: a line, a dot, and the figures in a box inside the chart. */
function Tip({ point, left, top }: { point: ValuePoint; left: number; top: number }) {
  const isLate = left > 0.5
  return (
    <span aria-hidden="true" className="pointer-events-none">
      <span className="absolute inset-y-0 w-px bg-edge" style={{ left: `${left * 100}%` }} />
      <span
        className="absolute size-2.5 -translate-1/2 rounded-full bg-accent ring-2 ring-surface"
        style={{ left: `${left * 100}%`, top: `${top * 100}%` }}
      />
      <span
        className="absolute top-2 rounded-control border border-line bg-surface px-3 py-2 text-xs shadow-raised"
        style={isLate ? { right: `calc(${(1 - left) * 100}% + 12px)` } : { left: `calc(${left * 100}% + 12px)` }}
      >
        <span className="block text-sm font-semibold tabular-nums">{formatUsd(point.value)}</span>
        <span className="block whitespace-nowrap text-muted">
          <bdi>{formatDate(new Date(point.time))}</bdi>
        </span>
        {point.blocks?.length === 1 && (
          <span className="block text-muted">
            <bdi>{t('Block {number}', { number: point.blocks[0]?.block ?? 0 })}</bdi>
          </span>
        )}
      </span>
    </span>
  )
}

/** Round numbers a little below and above, so that a change is seen; the ends are written beside the chart. */
function findScale(values: readonly number[]): { low: number; high: number } {
  const [least, most] = [Math.min(...values), Math.max(...values, 0.01)]
  const room = Math.max((most - least) * 0.15, most * 0.01)
  const unit = 10 ** Math.floor(Math.log10(room))
  const low = Math.max(0, Math.floor((least - room) / unit) * unit)
  return { low, high: Math.ceil((most + room) / unit) * unit }
}

function findNearest(points: readonly ValuePoint[], time: number): number {
  let best = 0
  for (const [place, point] of points.entries())
    if (Math.abs(point.time - time) < Math.abs((points[best]?.time ?? 0) - time)) best = place
  return best
}

const formatRound = (dollars: number) => formatUsd(BigInt(Math.round(dollars * 100)) * 10n ** 16n)

const most = 40

/** The figures of a chart, the newest first. */
function ValueTable({ points }: { points: readonly ValuePoint[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-1 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 items-center font-semibold text-accent">{t('Show as table')}</summary>
      {/* A hundred dates and amounts that few people look at. */}
      {isOpen && <ValueRows points={points} />}
    </details>
  )
}

function ValueRows({ points }: { points: readonly ValuePoint[] }) {
  const every = Math.ceil(points.length / most)
  const rows = points.toReversed().filter((_point, place) => place % every === 0)
  const hasBlocks = rows.some(({ blocks }) => blocks)
  return (
    <table className="w-full max-w-lg text-start tabular-nums">
      <thead>
        <tr className="text-xs text-muted">
          <th className="py-1 text-start font-semibold">{t('Time')}</th>
          {hasBlocks && <th className="py-1 text-start font-semibold">{t('Block')}</th>}
          <th className="py-1 text-end font-semibold">{t('Value')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ time, value, blocks }) => (
          <tr key={time} className="border-t border-line">
            <td className="py-1">{formatTime(new Date(time))}</td>
            {hasBlocks && (
              <td className="py-1">
                {blocks?.map(({ chain, block }) => (
                  <span key={chain} className="me-2">
                    <BlockLink chain={chain} block={block} />
                  </span>
                ))}
              </td>
            )}
            <td className="py-1 text-end wrap-anywhere">{formatUsd(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
