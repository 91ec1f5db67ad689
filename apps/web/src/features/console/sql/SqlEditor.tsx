import { Play } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { FieldFrame, inputClass } from '../../../ui/forms/Field.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { type Output, useAct, useAsk } from '../ask.ts'
import { DocsLink } from '../DocsLink.tsx'
import { SavedQueries } from './SavedQueries.tsx'
import { SqlBuilder } from './SqlBuilder.tsx'
import { SqlResult } from './SqlResult.tsx'
import { SqlTables } from './SqlTables.tsx'

const longestQuery = 10_000

/** As it is printed on keyboards. */
const enterKey = 'Enter'

/** Read-only queries in SQL, with their result as table and chart. */
export function SqlEditor() {
  const tables = useAsk('getSqlTables', {})
  const act = useAct()
  const field = useRef<HTMLTextAreaElement>(null)
  const [query, setQuery] = useState('')
  const [isChart, setChart] = useState(false)
  const [result, setResult] = useState<Output<'runSql'>>()
  const [isRunning, setRunning] = useState(false)

  const run = async (text = query) => {
    if (text.trim() === '' || isRunning) return
    setRunning(true)
    const answer = await act('runSql', { query: text })
    setRunning(false)
    // The rows of an earlier query are not those of one that failed.
    setResult(answer)
  }
  const insert = (text: string) => {
    const place = field.current
    if (!place) return
    const { selectionStart: from, selectionEnd: to } = place
    setQuery(`${query.slice(0, from)}${text}${query.slice(to)}`.slice(0, longestQuery))
    place.focus()
    requestAnimationFrame(() => place.setSelectionRange(from + text.length, from + text.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run()
  }
  const use = (next: { query: string; chart: boolean }) => {
    setQuery(next.query)
    setChart(next.chart)
    void run(next.query)
  }
  return (
    <>
      <PageHeader title={t('SQL')} aside={<DocsLink page="console" />}>
        {t('Queries only read. They end after 10 seconds, and the audit log records them.')}
      </PageHeader>
      <ReadingStatus reading={tables} failure={t('The classes could not be loaded')} />
      {tables.data && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <Card>
              <SqlBuilder tables={tables.data.results} onBuilt={setQuery} />
              <FieldFrame id="sql" label={t('SQL query')}>
                <textarea
                  ref={field}
                  id="sql"
                  dir="ltr"
                  rows={9}
                  maxLength={longestQuery}
                  spellCheck={false}
                  autoCapitalize="off"
                  autoCorrect="off"
                  value={query}
                  onChange={(event) => setQuery(event.target.value)}
                  onKeyDown={onKeyDown}
                  className={`${inputClass} min-h-40 resize-y py-3 font-mono text-sm`}
                />
              </FieldFrame>
              <div className="mt-4 flex flex-wrap items-center gap-3">
                <Button onClick={() => void run()} pending={isRunning} disabled={query.trim() === ''}>
                  <Play size={18} aria-hidden="true" />
                  {t('Run')}
                </Button>
                <span className="text-sm text-muted">
                  <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'}</kbd> <kbd>{enterKey}</kbd>
                </span>
                <SavedQueries query={query} chart={isChart} onUse={use} />
              </div>
            </Card>
            {result && <SqlResult result={result} isChart={isChart} onChart={setChart} />}
          </div>
          <SqlTables tables={tables.data.results} onPick={insert} />
        </div>
      )}
    </>
  )
}
