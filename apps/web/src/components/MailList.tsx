import { useOutbox } from '@countersign/react'
import { MailOpen, RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { say } from '../lib/say.ts'
import { Alert } from './Alert.tsx'
import { Card } from './Card.tsx'
import { EmptyState } from './EmptyState.tsx'
import { IconButton } from './IconButton.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { MailCard } from './MailCard.tsx'
import { PageHeader } from './PageHeader.tsx'
import { Skeleton } from './Skeleton.tsx'

/** The mails that the server kept, newest first. */
export function MailList() {
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
        title={say('Outbox')}
        aside={
          <IconButton label={say('Load again')} onClick={() => void refetch()}>
            <RefreshCw size={19} aria-hidden="true" />
          </IconButton>
        }
      >
        {say('The mail that this server would have sent.')}
      </PageHeader>
      <Alert tone="warn" title={say('For development only')} className="mb-6">
        {say(
          'You can read other people’s mail here because no SMTP server is configured. Set one up, and mail goes out and this page closes.',
        )}
      </Alert>
      {mails.status === 'pending' && <Skeleton className="h-48 w-full animate-wait rounded-card" />}
      {mails.status === 'error' && (
        <Card className={mails.data && 'mb-4'}>
          <LoadFailure
            title={say('The outbox could not be loaded')}
            error={mails.error}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {mails.data?.length === 0 && (
        <Card>
          <EmptyState icon={MailOpen} title={say('No mail yet')}>
            {say('Ask for a new password, or add an e-mail address to an account: the mail appears here.')}
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
