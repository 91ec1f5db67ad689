import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react'
import type { ValuePoint } from '../../lib/chain/traceValue.ts'
import { chartUsd, formatUsd } from '../../lib/chain/usd.ts'
import { formatDate } from '../../lib/formatDate.ts'

const width = 1000
const height = 240
const steps = 60

/** A value that stays until the next change, as a line of steps; also by keyboard, and as a table. */
export function ValueChart({ points }: { points: readonly ValuePoint[] }) {
  const id = useId()
  const [at, setAt] = useState<number>()
  const first = points[0]?.time ?? 0
  const span = Math.max(1, (points.at(-1)?.time ?? 0) - first)
  const most = Math.max(...points.map(({ value }) => chartUsd(value)), 0.01)
  const line = useMemo(() => {
    const x = (time: number) => (((time - first) / span) * width).toFixed(1)
    const y = (value: bigint) => (height - (chartUsd(value) / (most * 1.08)) * height).toFixed(1)
    return points.map(({ time, value }, place) => `${place ? 'L' : 'M'}${x(time)} ${y(value)}`).join('')
  }, [points, first, span, most])
  const samples = useMemo(() => sample(points, first, span), [points, first, span])
  const shown = at === undefined ? undefined : samples[at]

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect()
    setAt(Math.min(steps, Math.max(0, Math.round(((event.clientX - left) / wide) * steps))))
  }
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -steps, End: steps }[event.key]
    if (by === undefined) return
    event.preventDefault()
    setAt((before) => Math.min(steps, Math.max(0, (before ?? steps) + by)))
  }
  const current = shown ?? samples.at(-1)
  return (
    <figure>
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-semibold tabular-nums">{current && formatUsd(current.value)}</span>
        <span className="text-muted">{current && formatDate(new Date(current.time))}</span>
      </p>
      {/* Time runs from left to right in every language here, as on most charts. */}
      <div
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label="Point in time"
        aria-describedby={id}
        aria-valuemin={0}
        aria-valuemax={steps}
        aria-valuenow={at ?? steps}
        aria-valuetext={current && `${formatDate(new Date(current.time))}: ${formatUsd(current.value)}`}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={move}
        className="relative mt-2 h-44 touch-pan-y rounded-control sm:h-56"
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" className="size-full">
          <path d={`${line}L${width} ${height}L0 ${height}Z`} className="fill-accent-soft" />
          <path d={line} fill="none" strokeWidth="2" vectorEffect="non-scaling-stroke" className="stroke-accent" />
        </svg>
        {shown && at !== undefined && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 w-px bg-edge"
            style={{ left: `${(at / steps) * 100}%` }}
          />
        )}
      </div>
      <p dir="ltr" aria-hidden="true" className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{formatDate(new Date(first))}</span>
        <span>Now</span>
      </p>
      <figcaption id={id} className="mt-2 text-xs text-muted">
        What your tokens were worth <strong>at today’s prices</strong>, worked out from what you hold now and the
        transfers that were read. The chain’s own currency, collectibles and tokens without a known price are left out.
      </figcaption>
      <details className="mt-1 text-sm">
        <summary className="inline-flex min-h-11 items-center font-semibold text-accent">Show as a table</summary>
        <table className="w-full max-w-sm text-start tabular-nums">
          <thead>
            <tr className="text-xs text-muted">
              <th className="py-1 text-start font-semibold">Day</th>
              <th className="py-1 text-end font-semibold">Value</th>
            </tr>
          </thead>
          <tbody>
            {samples
              .filter((_sample, place) => place % 5 === 0)
              .map(({ time, value }) => (
                <tr key={time} className="border-t border-line">
                  <td className="py-1">{formatDate(new Date(time))}</td>
                  <td className="py-1 text-end">{formatUsd(value)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** The value at even distances of time. */
function sample(points: readonly ValuePoint[], first: number, span: number): ValuePoint[] {
  let place = 0
  return Array.from({ length: steps + 1 }, (_none, step) => {
    const time = first + (span * step) / steps
    while ((points[place + 1]?.time ?? Number.POSITIVE_INFINITY) <= time) place++
    return { time, value: points[place]?.value ?? 0n }
  })
}
