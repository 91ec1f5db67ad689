import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { cx } from '../../../ui/cx.ts'
import { findTicks, spread, writeLine } from './chartScale.ts'

export type Series = {
  name: string
  /** One for each place of the axis. */
  values: readonly (number | undefined)[]
  look: 'bar' | 'part' | 'line' | 'thin' | 'dotted' | 'before'
}

type Props = {
  label: string
  /** Labels of the axis, short, and in full for tooltip and table. */
  places: readonly { short: string; full: string }[]
  series: readonly Series[]
  format: (value: number) => string
  /** Name of the axis, for the table. */
  axis?: string
}

const width = 1000
const height = 200

const strokes = { line: 'stroke-accent', thin: 'stroke-muted', dotted: 'stroke-warn', before: 'stroke-edge' } as const
const dashes = { line: undefined, thin: undefined, dotted: '2 4', before: '6 4' } as const

/** Figures along an axis: by pointer, by keyboard, and as a table. */
export function Chart({ label, places, series, format, axis = t('Time') }: Props) {
  const [at, setAt] = useState<number>()
  const ticks = findTicks(series.flatMap(({ values }) => values.filter((value) => value !== undefined)))
  const most = ticks.at(-1) ?? 1
  const last = places.length - 1
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * places.length))))
  }
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -last, End: last }[event.key]
    if (event.key === 'Escape') setAt(undefined)
    if (by === undefined) return
    event.preventDefault()
    setAt((before) => Math.min(last, Math.max(0, (before ?? last) + by)))
  }
  const place = Math.min(at ?? last, last)
  const describe = (index: number) =>
    [places[index]?.full, ...series.map(({ name, values }) => `${name} ${show(values[index], format)}`)].join(', ')
  return (
    <figure className="mt-3">
      {/* Time runs from left to right in every language here, as on most charts. */}
      <div dir="ltr" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div aria-hidden="true" className="relative h-44 text-end text-xs text-muted tabular-nums">
          {/* As wide as the widest label. */}
          <span className="invisible block h-0 overflow-hidden">{longestOf(ticks.map(format))}</span>
          {ticks.map((tick) => (
            <span key={tick} className="absolute end-0 -translate-y-1/2" style={{ top: `${(1 - tick / most) * 100}%` }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={Math.max(0, place)}
          aria-valuetext={describe(place)}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setAt(undefined)}
          onFocus={(event) => event.currentTarget.matches(':focus-visible') && setAt(last)}
          onBlur={() => setAt(undefined)}
          onKeyDown={move}
          className="relative h-44 touch-pan-y"
        >
          <Drawing ticks={ticks} most={most} series={series} count={places.length} />
          {at !== undefined && at <= last && (
            <Tip title={places[at]?.full ?? ''} at={at} count={places.length} series={series} format={format} />
          )}
        </div>
        <span />
        <div aria-hidden="true" className="relative mt-1.5 h-4 text-xs text-muted">
          {spread(places.length, 5).map((index, number, all) => (
            <span
              key={index}
              className={cx(
                'absolute whitespace-nowrap',
                number === 0 ? '' : number === all.length - 1 ? '-translate-x-full' : '-translate-x-1/2',
                number % 2 === 1 && 'max-sm:hidden',
              )}
              style={{
                left: `${number === 0 ? 0 : number === all.length - 1 ? 100 : ((index + 0.5) / places.length) * 100}%`,
              }}
            >
              <bdi>{places[index]?.short}</bdi>
            </span>
          ))}
        </div>
      </div>
      {series.length > 1 && <Legend series={series} />}
      <ChartTable axis={axis} places={places} series={series} format={format} />
    </figure>
  )
}

type DrawingProps = { ticks: readonly number[]; most: number; series: readonly Series[]; count: number }

function Drawing({ ticks, most, series, count }: DrawingProps) {
  const step = width / Math.max(1, count)
  const gap = Math.min(step * 0.2, 4)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="size-full overflow-visible"
    >
      {ticks.map((tick) => (
        <path
          key={tick}
          d={`M0 ${(1 - tick / most) * height}H${width}`}
          vectorEffect="non-scaling-stroke"
          className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
        />
      ))}
      {series.map(({ name, values, look }) =>
        look === 'bar' || look === 'part' ? (
          <g key={name} className={look === 'bar' ? 'fill-accent' : 'fill-danger'}>
            {values.map((value = 0, index) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a place of the axis is its own key
                key={index}
                x={index * step + gap / 2}
                y={(1 - value / most) * height}
                width={step - gap}
                height={(value / most) * height}
              />
            ))}
          </g>
        ) : (
          <path
            key={name}
            d={writeLine(values, most, width, height)}
            fill="none"
            strokeWidth={look === 'line' ? 2 : 1.5}
            strokeDasharray={dashes[look]}
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className={strokes[look]}
          />
        ),
      )}
    </svg>
  )
}

type TipProps = {
  title: string
  at: number
  count: number
  series: readonly Series[]
  format: (value: number) => string
}

/** Tooltip at the pointer or keyboard position. The slider says the same to a screen reader. */
function Tip({ title, at, count, series, format }: TipProps) {
  const left = (at + 0.5) / count
  return (
    <span aria-hidden="true" className="pointer-events-none">
      <span className="absolute inset-y-0 w-px bg-edge" style={{ left: `${left * 100}%` }} />
      <span
        data-tip
        className="absolute top-0 z-10 rounded-control border border-line bg-surface px-3 py-2 text-xs shadow-raised"
        style={left > 0.5 ? { right: `calc(${(1 - left) * 100}% + 10px)` } : { left: `calc(${left * 100}% + 10px)` }}
      >
        <span className="block whitespace-nowrap text-muted">
          <bdi>{title}</bdi>
        </span>
        {series.map(({ name, values, look }) => (
          <span key={name} className="flex items-center gap-2 whitespace-nowrap">
            <Mark look={look} />
            <bdi>{name}</bdi>
            <span className="ms-auto ps-3 font-semibold tabular-nums">{show(values[at], format)}</span>
          </span>
        ))}
      </span>
    </span>
  )
}

const show = (value: number | undefined, format: (value: number) => string) =>
  value === undefined ? '–' : format(value)

const longestOf = (texts: readonly string[]) =>
  texts.reduce((one, other) => (other.length > one.length ? other : one), '')

function Mark({ look }: Pick<Series, 'look'>) {
  const isBar = look === 'bar' || look === 'part'
  return (
    <svg viewBox="0 0 14 10" aria-hidden="true" className="h-2.5 w-3.5 shrink-0">
      {isBar ? (
        <rect x="2" y="0" width="10" height="10" className={look === 'bar' ? 'fill-accent' : 'fill-danger'} />
      ) : (
        <path d="M0 5H14" strokeWidth="2" strokeDasharray={dashes[look]} className={strokes[look]} />
      )}
    </svg>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {series.map(({ name, look }) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <Mark look={look} />
          {name}
        </li>
      ))}
    </ul>
  )
}

/** The same figures, the last ones first. */
function ChartTable({ axis, places, series, format }: Omit<Props, 'label'> & { axis: string }) {
  const [isOpen, setOpen] = useState(false)
  const rows = places.map((place, index) => ({ place, index }))
  const filled = rows.filter(({ index }) => series.some(({ values }) => values[index]))
  return (
    <details className="mt-1 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 items-center font-semibold text-accent">{t('Show as table')}</summary>
      {isOpen && (
        <div className="overflow-x-auto">
          <table className="w-full text-start tabular-nums">
            <thead>
              <tr className="text-xs text-muted">
                <th className="py-1 pe-3 text-start font-semibold">{axis}</th>
                {series.map(({ name }) => (
                  <th key={name} className="py-1 ps-3 text-end font-semibold">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {filled.toReversed().map(({ place, index }) => (
                <tr key={index} className="border-t border-line">
                  <td className="py-1 pe-3">{place.full}</td>
                  {series.map(({ name, values }) => (
                    <td key={name} className="py-1 ps-3 text-end">
                      {show(values[index], format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
