import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { getServer } from '../../../config/callEndpoint.ts'
import { t } from '../../../i18n/translate.ts'
import { Card } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { ChipSelect } from '../../../ui/forms/ChipSelect.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { SwitchField } from '../../../ui/forms/SwitchField.tsx'
import { useAsk } from '../ask.ts'
import { LogRow } from './LogRow.tsx'
import { areas, isBackground, readLogLine } from './logLines.ts'

/** Milliseconds between two looks while the log is followed. */
const freshness = 2_000

/** Last log lines of the responding server, newest first; updated unless paused. */
export function Logs() {
  const [level, setLevel] = useState<'info' | 'warn' | 'error'>('info')
  const [area, setArea] = useState('')
  const [search, setSearch] = useState('')
  const [isLive, setLive] = useState(true)
  const [hasAll, setAll] = useState(false)
  const lines = useAsk('listLogLines', { level, n: 1_000 }, isLive ? { every: freshness } : {})
  const wanted = search.trim().toLowerCase()
  const mount = new URL(getServer().serverUrl, location.href).pathname
  const shown = (lines.data ?? [])
    .filter(({ message }) => message.toLowerCase().includes(wanted))
    .map(readLogLine)
    .filter((line) => (area === '' || line.area === area) && (hasAll || !isBackground(line, mount)))
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-4">
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
        <ChipSelect
          label={t('Area')}
          value={area}
          options={[['', t('All areas')], ...areas.map((each) => [each, each] as const)]}
          onChange={setArea}
        />
        <SwitchField label={t('Follow live')} checked={isLive} onChange={setLive} />
        <SwitchField label={t('Requests of this console and for files')} checked={hasAll} onChange={setAll} />
      </div>
      <ReadingStatus reading={lines} failure={t('The log could not be loaded')} />
      {lines.data && (
        <Card>
          {shown.length === 0 ? (
            <EmptyState icon={ScrollText} title={t('No log lines')} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls is reached by keyboard
            <section className="overflow-x-auto" aria-label={t('Logs')} tabIndex={0}>
              <table className="w-full text-start text-sm">
                <thead className="border-b border-line text-muted">
                  <tr>
                    {[t('Time'), t('Level'), t('Area'), t('Message'), t('Request ID')].map((name, place) => (
                      <th
                        key={name}
                        scope="col"
                        className={cx(
                          'py-2 pe-6 text-start font-semibold whitespace-nowrap',
                          // A phone has room for the message; the filters above have both.
                          (place === 1 || place === 2) && 'hidden md:table-cell',
                        )}
                      >
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody className="divide-y divide-line">
                  {shown.slice(0, mostShown).map((line, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
                    <LogRow key={`${line.at} ${place}`} line={line} onRequest={setSearch} />
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Card>
      )}
    </>
  )
}

/** Rows of the table: the page stays quick while it is followed. */
const mostShown = 300
