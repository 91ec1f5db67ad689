import type { FigureRange, FigureRecord, OverviewRecord } from '@countersign/protocol'
import { useSearchParams } from 'react-router'
import { formatNumber } from '../../i18n/format.ts'
import { nameChain } from '../../i18n/nameChain.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Detail, DetailList } from '../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { ChipSelect } from '../../ui/forms/ChipSelect.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAsk } from './ask.ts'
import { BarChart } from './BarChart.tsx'
import { formatDuration, formatSize } from './describe.ts'

const ranges: readonly FigureRange[] = ['hour', 'day', 'week', 'month']

/** Milliseconds between two looks. */
const every = 15_000

/** Current and past activity of the installation. */
export function Overview() {
  const [parameters, setParameters] = useSearchParams()
  const range = ranges.find((each) => each === parameters.get('range')) ?? 'day'
  const overview = useAsk('getOverview', { range }, { every })
  const options = [
    ['hour', t('Last hour')],
    ['day', t('Last 24 hours')],
    ['week', t('Last 7 days')],
    ['month', t('Last 30 days')],
  ] as const
  return (
    <>
      <PageHeader
        title={t('Console overview')}
        aside={
          <ChipSelect
            label={t('Time range')}
            value={range}
            options={options}
            onChange={(next) => setParameters({ range: next }, { replace: true, preventScrollReset: true })}
          />
        }
      />
      <ReadingStatus reading={overview} failure={t('Metrics could not be loaded')} always titled />
      {overview.data && <Figures overview={overview.data} />}
    </>
  )
}

function Figures({ overview }: { overview: OverviewRecord }) {
  const { users, sessions, sockets, jobs, database, server, chains, series } = overview
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        <Tally name={t('Users')} value={users.total} />
        <Tally name={t('New today')} value={users.newToday} />
        <Tally name={t('Active today')} value={users.activeToday} />
        <Tally name={t('Active in the last 30 days')} value={users.activeMonth} />
        <Tally name={t('Active sessions')} value={sessions} />
        <Tally name={t('Open connections')} value={sockets} />
        <Tally name={t('Jobs waiting')} value={jobs.waiting} />
        <Tally name={t('Jobs failed today')} value={jobs.failedToday} isBad={jobs.failedToday > 0} />
      </dl>
      <div className="grid gap-6 lg:grid-cols-2">
        <Chart
          title={t('Requests')}
          series={series}
          read={({ requests }) => requests}
          part={({ failed }) => failed}
          partLabel={t('Failed')}
        />
        <Chart
          title={t('Response time')}
          note={t('95th percentile (p95)')}
          series={series}
          read={({ p95 = 0 }) => p95}
          format={formatDuration}
        />
        <Chart title={t('Sign-ins')} note={describeMethods(series)} series={series} read={sumSignIns} />
        <Chart title={t('Sign-ups')} series={series} read={({ signUps }) => signUps} />
      </div>
      {chains.length > 0 && <Chains chains={chains} />}
      <Card aria-labelledby="server">
        <CardHeader id="server" title={t('Server')} />
        <DetailList>
          <Detail name={t('Version')}>{server.version}</Detail>
          <Detail name="Node.js">{server.node}</Detail>
          <Detail name={t('Running since')}>
            <RelativeTime date={new Date(server.startedAt)} />
          </Detail>
          <Detail name={t('Database')}>
            {database.kind === 'postgres' ? 'PostgreSQL' : t('PostgreSQL (embedded)')} · {formatSize(database.size)}
          </Detail>
        </DetailList>
      </Card>
    </div>
  )
}

function Tally({ name, value, isBad = false }: { name: string; value: number; isBad?: boolean }) {
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3 shadow-card">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={isBad ? 'text-2xl text-danger tabular-nums' : 'text-2xl tabular-nums'}>{formatNumber(value)}</dd>
    </div>
  )
}

type ChartProps = {
  title: string
  note?: string
  series: readonly FigureRecord[]
  read: (figure: FigureRecord) => number
  part?: (figure: FigureRecord) => number
  partLabel?: string
  format?: (value: number) => string
}

function Chart({ title, note, series, read, part, partLabel, format = formatNumber }: ChartProps) {
  const bars = series.map((figure) => ({
    at: new Date(figure.at),
    value: read(figure),
    ...(part && { part: part(figure) }),
  }))
  return (
    <Card aria-label={title}>
      <h2 className="text-lg">{title}</h2>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      <BarChart label={title} partLabel={partLabel} bars={bars} format={format} />
    </Card>
  )
}

const sumSignIns = ({ signIns }: FigureRecord) => Object.values(signIns).reduce((sum, count) => sum + count, 0)

function describeMethods(series: readonly FigureRecord[]): string {
  const sums = new Map<string, number>()
  for (const { signIns } of series)
    for (const [method, count] of Object.entries(signIns)) sums.set(method, (sums.get(method) ?? 0) + count)
  const sorted = [...sums].sort(([, one], [, other]) => other - one)
  return sorted.map(([method, count]) => `${nameMethod(method)} ${formatNumber(count)}`).join(' · ')
}

function nameMethod(method: string): string {
  switch (method) {
    case 'password':
      return t('Password')
    case 'wallet':
      return t('Wallet')
    case 'passkey':
      return t('Passkey')
    case 'provider':
      return t('Provider')
    case 'emailCode':
      return t('Code by email')
    case 'recoveryCode':
      return t('Recovery code')
    case 'secondFactor':
      return t('Second factor')
    case 'farcaster':
      return 'Farcaster'
    default:
      return t('Legacy client')
  }
}

function Chains({ chains }: Pick<OverviewRecord, 'chains'>) {
  return (
    <Card aria-labelledby="chains">
      <CardHeader id="chains" title={t('Chains')} />
      <ul className="-my-3 divide-y divide-line">
        {chains.map(({ chain, block, head, lag, status, error }) => (
          <li key={chain} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-sm">
            <span className="font-semibold">{nameChain(chain)}</span>
            <span className="text-muted tabular-nums">
              {t('Block {block} of {head}', { block: formatNumber(block), head: formatNumber(head) })}
            </span>
            <span className="text-muted">{t('{seconds} s behind', { seconds: formatNumber(lag) })}</span>
            <Badge tone={error ? 'warn' : status === 'SYNCED' ? 'ok' : 'neutral'}>
              {status === 'SYNCED' ? t('In sync') : t('Indexing')}
            </Badge>
            {error && <span className="w-full text-danger wrap-anywhere">{error}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
