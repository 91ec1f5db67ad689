import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { SwitchField } from '../../../ui/forms/SwitchField.tsx'
import { useAsk } from '../ask.ts'

/** Milliseconds between two looks while the log is followed. */
const freshness = 2_000

/** Last log lines of the responding server, newest first; updated unless stopped. */
export function Logs() {
  const [level, setLevel] = useState<'info' | 'warn' | 'error'>('info')
  const [search, setSearch] = useState('')
  const [isLive, setLive] = useState(true)
  const lines = useAsk('listLogLines', { level, n: 500 }, isLive ? { every: freshness } : {})
  const wanted = search.trim().toLowerCase()
  const shown = (lines.data ?? []).filter(
    // Looking at the log is a request as well, and would soon be all that there is to see.
    ({ message }) => !message.includes('/scriptlog"') && message.toLowerCase().includes(wanted),
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <input
          type="search"
          aria-label={t('Search log')}
          placeholder={t('Search log')}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.target.value)}
          className={`${inputClass} min-w-0 flex-1 basis-60`}
        />
        <ChipSelect
          label={t('Level')}
          value={level}
          options={[
            ['info', t('Everything')],
            ['warn', t('Warnings and errors')],
            ['error', t('Errors only')],
          ]}
          onChange={setLevel}
        />
        <SwitchField label={t('Follow live')} checked={isLive} onChange={setLive} />
      </div>
      <ReadingStatus reading={lines} failure={t('The log could not be loaded')} />
      {lines.data && (
        <Card>
          {shown.length === 0 && <EmptyState icon={ScrollText} title={t('No log lines')} />}
          <ol className="-my-2 divide-y divide-line" dir="ltr">
            {shown.map(({ timestamp, level: grade, message }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
              <li key={`${timestamp} ${place}`} className="py-2 font-mono text-xs wrap-anywhere">
                <time dateTime={timestamp} className="text-muted">
                  {timestamp}
                </time>{' '}
                {grade !== 'info' && <Badge tone="warn">{grade}</Badge>} {message}
              </li>
            ))}
          </ol>
        </Card>
      )}
    </>
  )
}
