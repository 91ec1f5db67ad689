import type { AuditRecord } from '@countersign/protocol'
import { ScrollText } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatNumber, formatTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Detail, DetailList } from '../../../ui/DetailRow.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import type { Input } from '../ask.ts'
import { PagedList } from '../PagedList.tsx'
import { useChange } from '../useChange.ts'
import { AuditSentence, knownActions } from './AuditSentence.tsx'

const pageSize = '50'
const fields = ['person', 'action', 'subject', 'from', 'to'] as const
type Query = { [Name in (typeof fields)[number]]?: string }

/** Changes and their authors, newest first, and the check of the log's integrity. */
export function AuditLog() {
  const [parameters, setParameters] = useSearchParams()
  const query: Query = Object.fromEntries(
    fields.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name) as string]] : [])),
  )
  const key = JSON.stringify(query)
  return (
    <>
      <PageHeader title={t('Audit log')} aside={<Verification />}>
        {t('Changes by operators and the master key, and changes to accounts and roles.')}
      </PageHeader>
      <Filters key={`filters ${key}`} query={query} onFilter={setParameters} />
      <PagedList
        key={key}
        name="listAudit"
        input={(before) => ({ ...readQuery(query), limit: pageSize, ...(before !== undefined && { before }) })}
        read={({ results, names }) => ({
          items: results.map((entry) => ({ entry, names })),
          next: results.length === Number(pageSize) ? results.at(-1)?.id : undefined,
        })}
        row={({ entry, names }) => <Entry key={entry.id} entry={entry} names={names} />}
        failure={t('The audit log could not be loaded')}
        empty={{ icon: ScrollText, title: t('No entries') }}
        label={t('Audit log')}
      />
    </>
  )
}

/** Days are those of the operator's own time zone; the last one is included. */
function readQuery({ from, to, ...rest }: Query): Input<'listAudit'> {
  const dayAfter = (day: string) => {
    const date = new Date(`${day}T00:00`)
    date.setDate(date.getDate() + 1)
    return date
  }
  const isDay = (day: string | undefined): day is string => day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day)
  return {
    ...rest,
    ...(isDay(from) && { since: new Date(`${from}T00:00`).toISOString() }),
    ...(isDay(to) && { until: dayAfter(to).toISOString() }),
  }
}

function Filters({ query, onFilter }: { query: Query; onFilter: (query: Record<string, string>) => void }) {
  const list = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = fields.map((name) => [name, String(form.get(name) ?? '').trim()] as const)
    onFilter(Object.fromEntries(given.filter(([, value]) => value !== '')))
  }
  const isFiltered = Object.keys(query).length > 0
  return (
    <Card className="mb-6">
      <form onSubmit={submit} className="grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-[1fr_1fr_1fr_auto_auto_auto]">
        <TextField
          label={t('Person')}
          name="person"
          defaultValue={query.person}
          placeholder={t('Username or ID')}
          maxLength={200}
        />
        <TextField
          label={t('Action')}
          name="action"
          list={list}
          dir="ltr"
          defaultValue={query.action}
          maxLength={200}
        />
        <datalist id={list}>
          {knownActions.map((action) => (
            <option key={action} value={action} />
          ))}
        </datalist>
        <TextField
          label={t('Object')}
          name="subject"
          defaultValue={query.subject}
          placeholder={t('ID or class')}
          maxLength={200}
        />
        <TextField label={t('From')} name="from" type="date" defaultValue={query.from} />
        <TextField label={t('To')} name="to" type="date" defaultValue={query.to} />
        <span className="flex gap-2">
          <Button type="submit" look="secondary">
            {t('Filter|action')}
          </Button>
          {isFiltered && (
            <Button look="ghost" onClick={() => onFilter({})}>
              {t('Clear filter')}
            </Button>
          )}
        </span>
      </form>
    </Card>
  )
}

function Entry({ entry, names }: { entry: AuditRecord; names: Record<string, string> }) {
  const { id, at, actor, action, subject, details, address, position, hash } = entry
  return (
    <li className="py-2 text-sm md:relative">
      <div className="flex flex-wrap items-baseline gap-x-4 md:pe-24">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <AuditSentence entry={entry} names={names} />
        </p>
        <span className="text-muted">
          <RelativeTime date={new Date(at)} />
        </span>
      </div>
      <details>
        {/* At the end of the sentence's line, where there is room for it. */}
        <summary className="inline-flex min-h-11 items-center text-xs font-semibold text-muted hover:text-ink md:absolute md:end-0 md:top-0 md:min-h-9">
          {t('Details')}
        </summary>
        <div className="pb-2">
          <DetailList>
            <Detail name={t('Time')}>{formatTime(new Date(at))}</Detail>
            <Detail name={t('Entry')}>{position === undefined ? id : formatNumber(position)}</Detail>
            <Detail name={t('Actor')}>{actor}</Detail>
            <Detail name={t('Action')}>{action}</Detail>
            {subject && <Detail name={t('Object')}>{subject}</Detail>}
            {address && <Detail name={t('IP address')}>{address}</Detail>}
            {hash && (
              <Detail name={t('Hash')}>
                <code className="text-xs break-all">{hash}</code>
              </Detail>
            )}
            <Detail name={t('Details')}>
              <code className="text-xs break-all">{JSON.stringify(details)}</code>
            </Detail>
          </DetailList>
        </div>
      </details>
    </li>
  )
}

function Verification() {
  const { pending, change } = useChange()
  const [verdict, setVerdict] = useState<{ isIntact: boolean; entries: number }>()
  const verify = async () => {
    setVerdict(await change('verifyAudit', {}))
  }
  return (
    <div className="flex flex-col items-end gap-2">
      <Button look="secondary" pending={pending} onClick={() => void verify()}>
        {t('Verify log')}
      </Button>
      {verdict && (
        <Alert
          tone={verdict.isIntact ? 'ok' : 'danger'}
          title={
            verdict.isIntact
              ? t('{count, plural, one {The log is intact: # entry.} other {The log is intact: # entries.}}', {
                  count: verdict.entries,
                })
              : t('The log was tampered with.')
          }
        />
      )}
    </div>
  )
}
