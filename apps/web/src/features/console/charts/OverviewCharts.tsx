import type { FigureRecord, OverviewRecord } from '@countersign/protocol'
import { Link } from 'react-router'
import { byLocale, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Card } from '../../../ui/Card.tsx'
import { useConsole } from '../ask.ts'
import { formatDuration, formatMinute } from '../formats.ts'
import { nameMethod } from '../nameMethod.ts'
import { Chart, type Series } from './Chart.tsx'

const times = byLocale((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }))
const days = byLocale((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }))

/** Activity over time, each beside the period before. */
export function OverviewCharts({ overview: { series, previous, range } }: { overview: OverviewRecord }) {
  const short = range === 'hour' || range === 'day' ? times() : days()
  const places = series.map(({ at }) => ({ short: short.format(new Date(at)), full: formatMinute(new Date(at)) }))
  const read = (value: (figure: FigureRecord) => number | undefined) => series.map(value)
  const before = (value: (figure: FigureRecord) => number): Series => ({
    name: t('Period before'),
    values: previous.map(value),
    look: 'before',
  })
  const requests = ({ requests: count }: FigureRecord) => count
  const signUps = ({ signUps: count }: FigureRecord) => count
  const charts = [
    {
      title: t('Requests'),
      note: compare(series, previous, requests),
      to: '/admin/functions?show=logs',
      series: [
        { name: t('Requests'), values: read(requests), look: 'bar' },
        { name: t('Server errors'), values: read(({ failed }) => failed), look: 'part' },
        before(requests),
      ],
    },
    {
      title: t('Response time'),
      format: formatDuration,
      series: [
        { name: 'p50', values: read(({ median }) => median), look: 'thin' },
        { name: 'p95', values: read(({ p95 }) => p95), look: 'line' },
        { name: 'p99', values: read(({ p99 }) => p99), look: 'dotted' },
      ],
    },
    {
      title: t('Sign-ins'),
      note: [compare(series, previous, sumSignIns), describeMethods(series)].filter(Boolean).join(' · '),
      to: '/admin/signIns',
      series: [{ name: t('Sign-ins'), values: read(sumSignIns), look: 'bar' }, before(sumSignIns)],
    },
    {
      title: t('Sign-ups'),
      note: compare(series, previous, signUps),
      to: '/admin/users',
      series: [{ name: t('Sign-ups'), values: read(signUps), look: 'bar' }, before(signUps)],
    },
  ] satisfies OneChart[]
  return (
    <div className="grid gap-6 lg:grid-cols-2 2xl:grid-cols-4">
      {charts.map((chart) => (
        <ChartCard key={chart.title} {...chart} places={places} />
      ))}
    </div>
  )
}

type OneChart = {
  title: string
  note?: string
  /** List that the figures count. */
  to?: string
  series: Series[]
  format?: (value: number) => string
}

type CardProps = OneChart & { places: readonly { short: string; full: string }[] }

function ChartCard({ title, note, to, series, places, format = formatNumber }: CardProps) {
  const { areas } = useConsole()
  const isLink = to !== undefined && areas.some((area) => to.split(/[/?]/)[2] === area)
  return (
    <Card aria-label={title} className="min-w-0 p-5! sm:p-6!">
      <h2 className="text-lg">
        {isLink ? (
          <Link to={to} className="hover:text-accent hover:underline">
            {title}
          </Link>
        ) : (
          title
        )}
      </h2>
      <p className="mt-1 min-h-5 text-sm text-muted">{note}</p>
      <Chart label={title} places={places} series={series} format={format} />
    </Card>
  )
}

const sumSignIns = ({ signIns }: FigureRecord) => Object.values(signIns).reduce((sum, count) => sum + count, 0)

const percents = byLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
)

/** "1,204 in total, +12 % compared to the period before". */
function compare(
  series: readonly FigureRecord[],
  previous: readonly FigureRecord[],
  read: (figure: FigureRecord) => number,
): string {
  const sum = (figures: readonly FigureRecord[]) => figures.reduce((total, figure) => total + read(figure), 0)
  const [now, then] = [sum(series), sum(previous)]
  const total = t('{count} in total', { count: formatNumber(now) })
  if (then === 0) return total
  return `${total}, ${t('{change} compared to the period before', { change: percents().format(now / then - 1) })}`
}

function describeMethods(series: readonly FigureRecord[]): string {
  const sums = new Map<string, number>()
  for (const { signIns } of series)
    for (const [method, count] of Object.entries(signIns)) sums.set(method, (sums.get(method) ?? 0) + count)
  const sorted = [...sums].sort(([, one], [, other]) => other - one)
  return sorted.map(([method, count]) => `${nameMethod(method)} ${formatNumber(count)}`).join(' · ')
}
