import type { FigureRange, OverviewRecord } from '@countersign/protocol'
import { Link, useSearchParams } from 'react-router'
import { useChainName } from '../../chain/useChainName.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Detail, DetailList } from '../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { ChipSelect } from '../../ui/forms/ChipSelect.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAsk, useConsole } from './ask.ts'
import { OverviewCharts } from './charts/OverviewCharts.tsx'
import { formatBytes } from './formats.ts'
import { FirstSteps } from './overview/FirstSteps.tsx'
import { Health } from './overview/Health.tsx'

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
      {overview.data && <FirstSteps overview={overview.data} />}
      {overview.data && <Figures overview={overview.data} />}
    </>
  )
}

function Figures({ overview }: { overview: OverviewRecord }) {
  const { users, sessions, failedSignInsToday, sockets, jobs, database, server, chains } = overview
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid grid-cols-2 gap-3 max-sm:*:last:col-span-2 sm:grid-cols-3 2xl:grid-cols-9">
        <Tally name={t('Users')} value={users.total} to="/admin/users" />
        <Tally name={t('New today')} value={users.newToday} to="/admin/users" />
        <Tally name={t('Active today')} value={users.activeToday} to="/admin/users?order=-lastSeenAt" />
        <Tally name={t('Active in the last 30 days')} value={users.activeMonth} to="/admin/users" />
        <Tally name={t('Active sessions')} value={sessions} to="/admin/data/_Session" />
        <Tally
          name={t('Failed sign-ins today')}
          value={failedSignInsToday}
          isBad={failedSignInsToday > 0}
          to="/admin/signIns?result=failed&period=day"
        />
        <Tally name={t('Open connections')} value={sockets} />
        <Tally name={t('Jobs waiting')} value={jobs.waiting} to="/admin/functions?show=jobs" />
        <Tally
          name={t('Jobs failed today')}
          value={jobs.failedToday}
          isBad={jobs.failedToday > 0}
          to="/admin/functions?show=jobs"
        />
      </dl>
      <OverviewCharts overview={overview} />
      <Health />
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
            {database.kind === 'postgres' ? 'PostgreSQL' : t('PostgreSQL (embedded)')} · {formatBytes(database.size)}
          </Detail>
        </DetailList>
      </Card>
    </div>
  )
}

type TallyProps = {
  name: string
  value: number
  isBad?: boolean
  /** List that the figure counts. */
  to?: string
}

function Tally({ name, value, isBad = false, to }: TallyProps) {
  const { areas } = useConsole()
  const isLink = to !== undefined && areas.some((area) => to.split(/[/?]/)[2] === area)
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3 shadow-card">
      <dt className="text-sm text-muted">
        {isLink ? (
          <Link to={to} className="text-accent hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className={isBad ? 'text-2xl text-danger tabular-nums' : 'text-2xl tabular-nums'}>{formatNumber(value)}</dd>
    </div>
  )
}

function Chains({ chains }: Pick<OverviewRecord, 'chains'>) {
  const nameChain = useChainName()
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
            <span className="text-muted">
              {status === 'SYNCED' ? (
                <>
                  {t('Latest block')} <RelativeTime date={new Date(Date.now() - lag * 1000)} />
                </>
              ) : (
                head > block &&
                t('{count, plural, one {# block behind} other {# blocks behind}}', { count: head - block })
              )}
            </span>
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
