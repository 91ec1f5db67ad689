import type { MailKind, MailLogRecord, OutboxMail } from '@countersign/protocol'
import { Mail as MailIcon, MailX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatNumber, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { SelectField } from '../../ui/forms/Field.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAct, useAsk } from './ask.ts'
import { formatDuration } from './describe.ts'
import { PagedList } from './PagedList.tsx'
import { SearchForm } from './SearchForm.tsx'

/** Results of sent mails; without SMTP, the mails themselves. */
export function Mail() {
  const known = useAsk('listMailLog', { limit: '1' })
  if (known.data) return known.data.isSending ? <MailLog days={known.data.days} /> : <Outbox />
  return (
    <>
      <PageHeader title={t('Mail')} />
      <ReadingStatus reading={known} failure={t('The mails could not be loaded')} />
    </>
  )
}

const outcomes = ['all', 'sent', 'failed'] as const

function MailLog({ days }: { days: number }) {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  const outcome = outcomes.find((each) => each === parameters.get('outcome')) ?? 'all'
  const [round, setRound] = useState(0)
  const show = (next: { search?: string; outcome?: string }) => {
    const wanted = { search, outcome: outcome as string, ...next }
    setParameters(Object.entries(wanted).filter(([, value]) => value !== '' && value !== 'all'))
  }
  return (
    <>
      <PageHeader
        title={t('Mail')}
        aside={
          <Button look="secondary" onClick={() => setRound(round + 1)}>
            {t('Refresh')}
          </Button>
        }
      >
        {days === 0
          ? t('Mails are sent by SMTP. The configuration keeps no log of them.')
          : t('Mails that were sent by SMTP. Entries are kept for {days} days, without what the mails say.', {
              days: formatNumber(days),
            })}
      </PageHeader>
      <SearchForm
        label={t('Search mails')}
        placeholder={t('Email address')}
        search={search}
        onSearch={(text) => show({ search: text })}
        maxLength={400}
      >
        <SelectField
          label={t('Outcome')}
          value={outcome}
          options={[
            ['all', t('All')],
            ['sent', t('Sent')],
            ['failed', t('Failed')],
          ]}
          onChange={(next) => show({ outcome: next })}
        />
      </SearchForm>
      <PagedList
        key={`${round} ${outcome} ${search}`}
        label={t('Mail')}
        name="listMailLog"
        input={(after) => ({ search, outcome, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(mail) => <MailRow key={mail.objectId} mail={mail} />}
        failure={t('The mails could not be loaded')}
        empty={{ icon: MailIcon, title: t('No mails') }}
        className="-my-3.5"
      />
    </>
  )
}

function MailRow({ mail: { to, kind, sentAt, milliseconds, error } }: { mail: MailLogRecord }) {
  const at = new Date(sentAt)
  return (
    <DetailRow
      icon={<RowIcon icon={error === undefined ? MailIcon : MailX} />}
      heading="h2"
      title={describeKind(kind)}
      aside={error === undefined ? <Badge tone="ok">{t('Sent')}</Badge> : <Badge tone="warn">{t('Failed')}</Badge>}
      facts={[<bdi key="to">{to}</bdi>]}
      minorFact={<RelativeTime date={at} />}
    >
      <DetailList>
        <Detail name={t('Time')}>{formatTime(at)}</Detail>
        <Detail name={t('Duration')}>{formatDuration(milliseconds)}</Detail>
        {error !== undefined && (
          <Detail name={t('The mail server says')}>
            <span lang="en" dir="auto">
              {error}
            </span>
          </Detail>
        )}
      </DetailList>
    </DetailRow>
  )
}

function describeKind(kind: MailKind): string {
  switch (kind) {
    case 'verification':
      return t('Verification of an email address')
    case 'passwordReset':
      return t('Password reset')
    case 'signInCode':
      return t('Sign-in code')
    case 'newDevice':
      return t('Sign-in from a new device')
    case 'accountChanged':
      return t('Change of an account')
    case 'emailChanged':
      return t('Change of an email address')
    case 'application':
      return t('Mail of the application')
  }
}

/** The mails that a server without SMTP keeps. They hold links that open accounts: shown when asked for, with a proof. */
function Outbox() {
  const act = useAct()
  const [mails, setMails] = useState<readonly OutboxMail[]>()
  const [pending, setPending] = useState(false)
  const show = async () => {
    setPending(true)
    const said = await act('listOutbox', {})
    setPending(false)
    if (said) setMails(said.results)
  }
  return (
    <>
      <PageHeader
        title={t('Mail')}
        aside={
          <Button look="secondary" pending={pending} onClick={() => void show()}>
            {mails ? t('Refresh') : t('Show the mails')}
          </Button>
        }
      >
        {t('Without SMTP the server keeps its mails here. They hold links that open accounts.')}
      </PageHeader>
      {mails && (
        <Card>
          <ul aria-label={t('Mail')} className="-my-3.5 divide-y divide-line">
            {mails.map(({ id, to, subject, text, createdAt }) => (
              <DetailRow
                key={id}
                icon={<RowIcon icon={MailIcon} />}
                heading="h2"
                title={subject}
                facts={[<bdi key="to">{to}</bdi>]}
                minorFact={<RelativeTime date={new Date(createdAt)} />}
              >
                <p className="text-sm whitespace-pre-wrap wrap-anywhere">{text}</p>
              </DetailRow>
            ))}
            {mails.length === 0 && (
              <li>
                <EmptyState icon={MailIcon} title={t('No mails')} />
              </li>
            )}
          </ul>
        </Card>
      )}
    </>
  )
}
