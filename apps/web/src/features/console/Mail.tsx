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
import { toasts } from '../../ui/feedback/toasts.ts'
import { SelectField } from '../../ui/forms/Field.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAsk } from './ask.ts'
import { formatDuration } from './formats.ts'
import { PagedList } from './PagedList.tsx'
import { SearchForm } from './SearchForm.tsx'
import { useChange } from './useChange.ts'

/** Results of sent mails; without SMTP, the mails themselves. */
export function Mail() {
  const known = useAsk('listMailLog', { limit: '1' })
  if (known.data) return known.data.isSending ? <MailLog days={known.data.days} /> : <Outbox />
  return (
    <>
      <PageHeader title={t('Emails')} />
      <ReadingStatus reading={known} failure={t('Emails could not be loaded')} />
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
        title={t('Emails')}
        aside={
          <span className="flex flex-wrap gap-2">
            <TestMail onSent={() => setRound(round + 1)} />
            <Button look="secondary" onClick={() => setRound(round + 1)}>
              {t('Refresh')}
            </Button>
          </span>
        }
      >
        {days === 0
          ? t('Emails are sent by SMTP. The mail log is off in the configuration.')
          : t('Emails sent by SMTP. Entries are kept for {days} days, without the content.', {
              days: formatNumber(days),
            })}
      </PageHeader>
      <SearchForm
        label={t('Search emails')}
        placeholder={t('Email address')}
        search={search}
        onSearch={(text) => show({ search: text })}
        maxLength={400}
      >
        <SelectField
          label={t('Result')}
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
        label={t('Emails')}
        name="listMailLog"
        input={(after) => ({ search, outcome, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(mail) => <MailRow key={mail.objectId} mail={mail} />}
        failure={t('Emails could not be loaded')}
        empty={{ icon: MailIcon, title: t('No emails') }}
        className="-my-3.5"
      />
    </>
  )
}

/** Sends an email to the operator, to see if sending works. */
function TestMail({ onSent }: { onSent: () => void }) {
  const { pending, change } = useChange()
  const send = async () => {
    const sent = await change('sendTestMail', {})
    if (!sent) return
    toasts.add(t('Test email sent to {email}.', { email: sent.to }), 'ok')
    onSent()
  }
  return (
    <Button look="secondary" pending={pending} onClick={() => void send()}>
      {t('Send test email')}
    </Button>
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
          <Detail name={t('Mail server response')}>
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
      return t('Email verification')
    case 'passwordReset':
      return t('Password reset')
    case 'signInCode':
      return t('Sign-in code')
    case 'newDevice':
      return t('Sign-in from a new device')
    case 'accountChanged':
      return t('Account change')
    case 'emailChanged':
      return t('Email address change')
    case 'application':
      return t('Email from the application')
  }
}

/** The mails that a server without SMTP keeps. They hold links that open accounts: shown when asked for, with a proof. */
function Outbox() {
  const { pending, change } = useChange()
  const [mails, setMails] = useState<readonly OutboxMail[]>()
  const show = async () => {
    const said = await change('listOutbox', {})
    if (said) setMails(said.results)
  }
  return (
    <>
      <PageHeader
        title={t('Emails')}
        aside={
          mails && (
            <Button look="secondary" pending={pending} onClick={() => void show()}>
              {t('Refresh')}
            </Button>
          )
        }
      >
        {t('No SMTP server is set up, so emails are captured here. They contain sign-in links.')}
      </PageHeader>
      {!mails && (
        <Card>
          <EmptyState
            icon={MailIcon}
            actions={
              <Button look="secondary" pending={pending} onClick={() => void show()}>
                {t('Show emails')}
              </Button>
            }
          />
        </Card>
      )}
      {mails && (
        <Card>
          <ul aria-label={t('Emails')} className="-my-3.5 divide-y divide-line">
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
                <EmptyState icon={MailIcon} title={t('No emails')} />
              </li>
            )}
          </ul>
        </Card>
      )}
    </>
  )
}
