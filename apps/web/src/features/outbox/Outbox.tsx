import { type Mail, useOutbox } from '@countersign/react/account'
import { ArrowRight, MailOpen, RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/EmptyState.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Main } from '../../ui/Page.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

export function Outbox() {
  const { outbox } = useConfig()
  return (
    <Main className="mx-auto w-full max-w-3xl px-4 pt-4 pb-12 sm:px-6">
      {outbox ? (
        <MailList />
      ) : (
        <>
          <PageHeader title={t('Outbox')} />
          <Card>
            <EmptyState icon={MailOpen} title={t('Emails are sent, not captured')}>
              {t('This server sends emails through a mail server, so nothing is captured here.')}
            </EmptyState>
          </Card>
        </>
      )}
    </Main>
  )
}

/** The mails that the server kept, newest first. */
function MailList() {
  const mails = useOutbox()
  const { refetch } = mails
  // The mail that somebody comes here for may be written a moment after it was asked for.
  useEffect(() => {
    const timer = setTimeout(() => void refetch(), 1_000)
    return () => clearTimeout(timer)
  }, [refetch])
  return (
    <>
      <PageHeader
        title={t('Outbox')}
        aside={
          <IconButton label={t('Refresh')} onClick={() => void refetch()}>
            <RefreshCw size={19} aria-hidden="true" />
          </IconButton>
        }
      >
        {t('Emails that this server would have sent.')}
      </PageHeader>
      <Alert tone="warn" title={t('For development only')} className="mb-6">
        {t(
          'No SMTP server is configured, so all emails are captured here. Once SMTP is set up, emails are sent and this page is disabled.',
        )}
      </Alert>
      {mails.status === 'pending' && <Skeleton className="h-48 w-full animate-wait rounded-card" />}
      {mails.status === 'error' && (
        <Card className={mails.data && 'mb-4'}>
          <LoadFailure title={t('The outbox could not be loaded')} error={mails.error} onRetry={() => void refetch()} />
        </Card>
      )}
      {mails.data?.length === 0 && (
        <Card>
          <EmptyState icon={MailOpen} title={t('No emails yet')}>
            {t('Reset a password or add an email address to an account, and the email appears here.')}
          </EmptyState>
        </Card>
      )}
      {mails.data && mails.data.length > 0 && (
        <div className="flex flex-col gap-4">
          {mails.data.map((mail) => (
            <MailCard key={mail.id} mail={mail} />
          ))}
        </div>
      )}
    </>
  )
}

/** A mail as its receiver would have read it. */
function MailCard({ mail }: { mail: Mail }) {
  const path = mail.link && localPath(mail.link)
  return (
    <Card aria-label={mail.subject}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg">{mail.subject}</h2>
        <span className="text-sm text-muted">
          <RelativeTime date={mail.createdAt} />
        </span>
      </div>
      <p className="mt-0.5 text-sm break-all text-muted">{t('To {address}', { address: mail.to })}</p>
      <p className="mt-4 rounded-control bg-sunken p-4 text-sm break-words whitespace-pre-wrap">{mail.text}</p>
      {path && (
        <ButtonLink to={path} look="secondary" className="mt-4">
          {t('Open link')} <ArrowRight size={17} aria-hidden="true" className="rtl:-scale-x-100" />
        </ButtonLink>
      )}
    </Card>
  )
}

/** The path within this application that a link of our own mails leads to, whatever host it names. */
function localPath(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, pathname, search } = new URL(link)
  return protocol === 'http:' || protocol === 'https:' ? pathname + search : undefined
}
