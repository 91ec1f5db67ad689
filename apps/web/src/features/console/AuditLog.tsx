import type { AuditRecord } from '@countersign/protocol'
import { ScrollText } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatNumber, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { TextField } from '../../ui/forms/Field.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAct } from './ask.ts'
import { PagedList } from './PagedList.tsx'

const pageSize = '50'
const fields = ['actor', 'action', 'subject'] as const

/** Changes and their authors, newest first, and the check of the log's integrity. */
export function AuditLog() {
  const [parameters, setParameters] = useSearchParams()
  const query = Object.fromEntries(
    fields.flatMap((name) => (parameters.get(name) ? [[name, parameters.get(name) as string]] : [])),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = fields.map((name) => [name, String(form.get(name) ?? '').trim()] as const)
    setParameters(Object.fromEntries(given.filter(([, value]) => value !== '')))
  }
  return (
    <>
      <PageHeader title={t('Audit log')} aside={<Verification />}>
        {t('Changes by operators and the master key, and changes to accounts and roles.')}
      </PageHeader>
      <Card className="mb-6">
        <form onSubmit={submit} className="grid items-end gap-4 sm:grid-cols-[1fr_1fr_1fr_auto]">
          <TextField label={t('Actor')} name="actor" defaultValue={query.actor} maxLength={200} />
          <TextField label={t('Action')} name="action" defaultValue={query.action} maxLength={200} />
          <TextField label={t('Subject')} name="subject" defaultValue={query.subject} maxLength={200} />
          <Button type="submit" look="secondary">
            {t('Filter|action')}
          </Button>
        </form>
      </Card>
      <PagedList
        key={JSON.stringify(query)}
        name="listAudit"
        input={(before) => ({ ...query, limit: pageSize, ...(before !== undefined && { before }) })}
        read={({ results }) => ({
          items: results,
          next: results.length === Number(pageSize) ? results.at(-1)?.id : undefined,
        })}
        row={(entry) => <Entry key={entry.id} entry={entry} />}
        failure={t('The audit log could not be loaded')}
        empty={{ icon: ScrollText, title: t('No entries') }}
        className="-my-3.5"
      />
    </>
  )
}

function Entry({
  entry: { id, at, actor, action, subject, details, address, position, hash },
}: {
  entry: AuditRecord
}) {
  return (
    <DetailRow
      icon={<RowIcon icon={ScrollText} />}
      heading="h2"
      title={action}
      facts={[<bdi key="actor">{actor}</bdi>, subject && <bdi key="subject">{subject}</bdi>]}
      minorFact={<RelativeTime date={new Date(at)} />}
    >
      <DetailList>
        <Detail name={t('Time')}>{formatTime(new Date(at))}</Detail>
        <Detail name={t('Entry')}>{position === undefined ? id : formatNumber(position)}</Detail>
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
    </DetailRow>
  )
}

function Verification() {
  const act = useAct()
  const [pending, setPending] = useState(false)
  const [verdict, setVerdict] = useState<{ isIntact: boolean; entries: number }>()
  const verify = async () => {
    setPending(true)
    setVerdict(await act('verifyAudit', {}))
    setPending(false)
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
              ? t('The log is intact: {count} entries.', { count: formatNumber(verdict.entries) })
              : t('The log was tampered with.')
          }
        />
      )}
    </div>
  )
}
