import { errorCodes, type UseAsync, useClient, useRead } from '@countersign/react'
import { request } from '@countersign/react/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { ChainFailure } from '../../chain/ChainStates.tsx'
import { chartUsd, formatUsd } from '../../chain/usd.ts'
import { keepData } from '../../chain/useChainRequest.ts'
import { byLocale, formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { skipEmpty, sumValues, type ValueHistory, type ValuePoint } from './sumValues.ts'
import { ValueChart } from './ValueChart.tsx'

type Props = {
  /** Total value and actions. */
  head: ReactNode
  actions?: ReactNode
  /** Filters of the figures. */
  filters?: ReactNode
  /** Source of the figures, and missing data. */
  children: ReactNode
  /** The wallets and chains on which something has a price. */
  places: readonly { address: string; chain: number }[]
  total: bigint
  /** From today's prices and the transfers that were read, for nodes that keep no older state. */
  trace: () => readonly ValuePoint[]
  isTracing: boolean
  since: Date | undefined
  onFurther: () => void
  /** Told whether it is worked out from transfers. */
  onForgotten: (isForgotten: boolean) => void
}

const ranges = [7, 30, 365]

const nameRange = (days: number) => (days === 7 ? t('1W') : days === 30 ? t('1M') : t('1Y'))

/** Value now and in the past: from earlier blocks, or by today's prices if no node has them. */
export function ValueCard(props: Props) {
  const { head, actions, filters, children, places, total, trace, isTracing, since, onFurther, onForgotten } = props
  const [days, setDays] = useState(30)
  const past = useValueHistories(places, days)
  const isForgotten = past.status === 'error' && past.error.code === errorCodes.CommandUnavailable
  const data = past.status === 'success' ? past.data : undefined
  const points = useMemo(() => {
    if (!data) return []
    const now = Date.now()
    return [...sumValues(data).filter(({ time }) => time < now), { time: now, value: total }]
  }, [data, total])
  const traced = useMemo(() => (isForgotten ? thin(keepSince(trace(), days)) : []), [isForgotten, trace, days])
  useEffect(() => onForgotten(isForgotten), [onForgotten, isForgotten])
  const all = isForgotten ? traced : points
  // Before the first receipt there is nothing to draw: the line would end in a cliff.
  const shown = useMemo(() => skipEmpty(all), [all])
  const isReceived = shown.length < all.length
  const chart = places.length > 0 && (
    <section aria-label={t('Value over time')} className="mt-2">
      {past.status === 'error' && !isForgotten && (
        <ChainFailure error={past.error} title={t('Value history could not be loaded')} onRetry={past.refetch} />
      )}
      {(past.status === 'pending' || (isForgotten && isTracing && traced.length < 2)) && (
        <Skeleton className="h-72 animate-wait" />
      )}
      {shown.length > 1 && (
        <ValueChart points={shown}>
          {isForgotten
            ? t(
                'Value of your tokens at today’s prices, calculated from current balances and indexed transfers because past balances and prices aren’t available. Excludes native currencies, NFTs and tokens without a price.',
              )
            : t('Based on pool prices at each date. Excludes NFTs and tokens without a price.')}
        </ValueChart>
      )}
      {isForgotten && !isTracing && shown.length < 2 && (
        <p className="text-sm text-muted">{t('No balances, prices or transfers are available for that time.')}</p>
      )}
      {isForgotten && since && (
        <p className="mt-2 flex flex-wrap items-center gap-3 text-sm text-muted">
          {t('Transfers indexed since {date}.', { date: formatDate(since) })}
          <Button look="secondary" onClick={onFurther}>
            {t('Show more history')}
          </Button>
        </p>
      )}
    </section>
  )
  return (
    <Card aria-labelledby="portfolio-total">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          {head}
          {all.length > 1 ? (
            <ValueChange points={all} isReceived={isReceived} />
          ) : (
            // Its place, so that nothing moves when it comes.
            places.length > 0 && past.status === 'pending' && <Skeleton className="my-1 h-4 w-56 animate-wait" />
          )}
        </div>
        {actions}
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 empty:hidden print:hidden">
        {filters}
        {places.length > 0 && <RangeButtons days={days} onChange={setDays} />}
      </div>
      {chart}
      <div className="mt-3 flex flex-col gap-0.5">{children}</div>
    </Card>
  )
}

function RangeButtons({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <fieldset className="ms-auto inline-flex rounded-full border border-line p-0.5">
      <legend className="sr-only">{t('Period')}</legend>
      {ranges.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === days}
          onClick={() => onChange(each)}
          className={cx(
            'min-h-11 min-w-12 rounded-full px-3 text-sm font-semibold transition-colors',
            each === days ? 'bg-sunken text-ink' : 'text-muted hover:text-ink',
          )}
        >
          {nameRange(each)}
        </button>
      ))}
    </fieldset>
  )
}

/** Points of the last days; the range starts with the value before. */
function keepSince(points: readonly ValuePoint[], days: number): readonly ValuePoint[] {
  const start = Date.now() - days * 86_400_000
  const first = points.findIndex(({ time }) => time >= start)
  const before = points[first - 1]
  if (first < 0) return points.slice(-1)
  return before ? [{ ...before, time: start }, ...points.slice(first)] : points
}

const most = 120

/** Some of many points, the last among them. */
function thin(points: readonly ValuePoint[]): readonly ValuePoint[] {
  const every = Math.ceil(points.length / most)
  return points.filter((_point, place) => (points.length - 1 - place) % every === 0)
}

const getPercent = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))

/** How much more or less it is than at the beginning. */
function ValueChange({ points, isReceived }: { points: readonly ValuePoint[]; isReceived: boolean }) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const by = last.value - first.value
  return (
    <p className={cx('text-sm font-semibold tabular-nums wrap-anywhere', by > 0n && !isReceived && 'text-ok')}>
      {describe(by, first.value, formatDate(new Date(first.time)))}
    </p>
  )
}

function describe(by: bigint, before: bigint, date: string): string {
  if (by === 0n) return t('No change since {date}', { date })
  const amount = formatUsd(by < 0n ? -by : by)
  const base = chartUsd(before)
  if (base === 0) return t('Received {amount} since {date}', { amount, date })
  const part = getPercent().format(Math.abs(chartUsd(by)) / base)
  if (by > 0n) return t('Up {amount} ({part}) since {date}', { amount, part, date })
  return t('Down {amount} ({part}) since {date}', { amount, part, date })
}

/** Value of wallets over the last weeks, for all or none: a missing one would look like a loss. */
function useValueHistories(
  places: readonly { address: string; chain: number }[],
  days: number,
): UseAsync<readonly ValueHistory[]> {
  const client = useClient()
  const ask = async (place: { address: string; chain: number }, signal: AbortSignal | undefined) => {
    const input = { ...place, chain: String(place.chain), days }
    const { result } = await request(client, 'getValueHistory', input, { signal })
    return { chain: place.chain, history: result }
  }
  const key = ['value', days, places.map(({ address, chain }) => [chain, address])]
  return keepData(useRead(key, ({ signal }) => Promise.all(places.map((place) => ask(place, signal)))))
}
