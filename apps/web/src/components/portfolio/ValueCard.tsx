import { errorCodes } from '@countersign/react'
import { useEffect, useMemo } from 'react'
import { sumValues } from '../../lib/chain/sumValues.ts'
import { useValueHistories } from '../../lib/chain/useValueHistories.ts'
import type { ValuePoint } from '../../lib/chain/ValuePoint.ts'
import { formatDate } from '../../lib/formatDate.ts'
import { say } from '../../lib/say.ts'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { CardHeader } from '../CardHeader.tsx'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { ValueChange } from './ValueChange.tsx'
import { ValueChart } from './ValueChart.tsx'

type Props = {
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

/** Value over time: by what the chain says of earlier blocks, or, where no node remembers, by today's prices. */
export function ValueCard({ places, total, trace, isTracing, since, onFurther, onForgotten }: Props) {
  const past = useValueHistories(places)
  const isForgotten = past.status === 'error' && past.error.code === errorCodes.CommandUnavailable
  const data = past.status === 'success' ? past.data : undefined
  const points = useMemo(() => {
    if (!data) return []
    const now = Date.now()
    return [...sumValues(data).filter(({ time }) => time < now), { time: now, value: total }]
  }, [data, total])
  const traced = useMemo(() => (isForgotten ? thin(trace()) : []), [isForgotten, trace])
  useEffect(() => onForgotten(isForgotten), [onForgotten, isForgotten])
  if (places.length === 0) return null
  const shown = isForgotten ? traced : points
  return (
    <Card aria-labelledby="portfolio-chart">
      <CardHeader id="portfolio-chart" title={say('Value over time')} />
      {past.status === 'error' && !isForgotten && (
        <ChainFailure error={past.error} title={say('The past could not be loaded')} onRetry={past.refetch} />
      )}
      {(past.status === 'pending' || (isForgotten && isTracing && traced.length < 2)) && (
        <Skeleton className="h-72 animate-wait" />
      )}
      {shown.length > 1 && (
        <>
          <ValueChange points={shown} />
          <ValueChart points={shown}>
            {isForgotten
              ? say(
                  'What your tokens were worth at today’s prices, worked out from what you hold now and the transfers that were read: no node here remembers balances and prices of that time. The chain’s own currency, collectibles and tokens without a known price are left out.',
                )
              : say('By the prices of pools at each time. Collectibles and tokens without a known price are left out.')}
          </ValueChart>
        </>
      )}
      {isForgotten && !isTracing && shown.length < 2 && (
        <p className="text-sm text-muted">
          {say('No node here remembers balances and prices of that time, and no transfer tells of it.')}
        </p>
      )}
      {isForgotten && since && (
        <p className="mt-2 flex flex-wrap items-center gap-3 text-sm text-muted">
          {say('Transfers are read back to {date}.', { date: formatDate(since) })}
          <Button look="secondary" onClick={onFurther}>
            {say('Go further back')}
          </Button>
        </p>
      )}
    </Card>
  )
}

const most = 120

/** Some of many points, the last among them. */
function thin(points: readonly ValuePoint[]): readonly ValuePoint[] {
  const every = Math.ceil(points.length / most)
  return points.filter((_point, place) => (points.length - 1 - place) % every === 0)
}
