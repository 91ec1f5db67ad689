import type { SlowQueryRecord } from '@countersign/protocol'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { formatNumber, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Facts } from '../../ui/DetailRow.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Asked, type Output, useAsk, useConsole } from './ask.ts'
import { CodeBox } from './CodeBox.tsx'
import { formatDuration } from './formats.ts'

export type SuggestedIndex = NonNullable<SlowQueryRecord['index']>

type Props = {
  className: string
  slow: Asked<Output<'listSlowQueries'>>
  onAdd: (index: SuggestedIndex) => void
}

/** Queries of a class that took long on the server, with the index that would serve each. */
export function SlowQueries({ className, slow, onAdd }: Props) {
  const queries = slow.data?.results.filter((query) => query.className === className) ?? []
  return (
    <section aria-label={t('Suggested indexes of {name}', { name: className })} className="mt-6">
      <h3 className="text-sm font-semibold">{t('Suggested indexes')}</h3>
      <ReadingStatus reading={slow} failure={t('The slow queries could not be loaded')} bare rows={1} />
      {slow.data && queries.length === 0 && (
        <p className="mt-1 text-sm text-muted">
          {t('No query has taken longer than {time} since {date}.', {
            time: formatDuration(slow.data.threshold),
            date: formatTime(new Date(slow.data.since)),
          })}
        </p>
      )}
      <ul className="divide-y divide-line">
        {queries.map((query) => (
          <SlowQuery key={query.objectId} query={query} onAdd={onAdd} />
        ))}
      </ul>
    </section>
  )
}

function SlowQuery({ query, onAdd }: { query: SlowQueryRecord; onAdd: Props['onAdd'] }) {
  const isAdmin = useConsole().role === 'admin'
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { operation, shape, order, count, average, slowest, lastSeen, hasPlan, index } = query
  const asked = [operation, shape && `where ${shape}`, order && `order ${order}`].filter(Boolean).join(' ')
  return (
    <li className="py-3.5">
      <code dir="ltr" className="block text-xs wrap-anywhere">
        {asked}
      </code>
      <p className="mt-1 text-sm text-muted">
        <Facts
          items={[
            t('Slow: {count}', { count: formatNumber(count) }),
            t('Average: {time}', { time: formatDuration(Math.round(average)) }),
            t('Slowest: {time}', { time: formatDuration(Math.round(slowest)) }),
            <RelativeTime key="seen" date={new Date(lastSeen)} />,
          ]}
        />
      </p>
      <p className="mt-1 text-sm">
        {index ? (
          <>
            {t('Suggested index:')}{' '}
            <code dir="ltr" className="text-xs wrap-anywhere">
              {JSON.stringify(index.fields)}
            </code>
          </>
        ) : (
          <span className="text-muted">{t('No index would help')}</span>
        )}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {index && isAdmin && (
          <Button
            look="secondary"
            aria-label={t('Add index {name}', { name: index.name })}
            onClick={() => onAdd(index)}
          >
            {t('Add index')}
          </Button>
        )}
        {hasPlan && (
          <Button
            look="ghost"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t('Query plan: {name}', { name: asked })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('Query plan')}
            <ChevronDown size={18} aria-hidden="true" className={cx('transition-transform', isOpen && 'rotate-180')} />
          </Button>
        )}
      </div>
      {isOpen && (
        <div id={id} className="mt-2">
          <Plan objectId={query.objectId} />
        </div>
      )}
    </li>
  )
}

function Plan({ objectId }: { objectId: string }) {
  const asked = useAsk('getQueryPlan', { objectId })
  if (asked.data) return <CodeBox label={t('Query plan')} text={asked.data.plan} />
  return <ReadingStatus reading={asked} failure={t('The query plan could not be loaded')} bare rows={1} />
}
