import { query, useRevokeOtherSessions, useSessions, useSubscription } from '@countersign/react'
import { useState } from 'react'
import { Card } from '../components/Card.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { Phrase } from '../components/Phrase.tsx'
import { RowsSkeleton } from '../components/RowsSkeleton.tsx'
import { SessionLists } from '../components/SessionLists.tsx'
import { TextLink } from '../components/TextLink.tsx'
import { describeError } from '../lib/describeError.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'

const ownSessions = query('_Session', {})

export function Sessions() {
  const sessions = useSessions()
  const { refetch } = sessions
  const readAgain = () => void refetch()
  // A new device comes and a revoked one goes by itself. That one was used is no news worth a request.
  useSubscription({ query: ownSessions, onCreate: readAgain, onDelete: readAgain, onResync: readAgain })
  const { revokeOtherSessions, status } = useRevokeOtherSessions()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<string>()

  const revokeOthers = () => {
    setError(undefined)
    void revokeOtherSessions({
      onSuccess: () => {
        setAsking(false)
        toasts.add(say('All other devices are signed out.'), 'ok')
        void refetch()
      },
      onError: (refusal) => setError(describeError(refusal).message),
    })
  }

  return (
    <>
      <PageHeader title={say('Sessions')}>
        <Phrase
          text="Every device and program that is signed in to your account. If you do not know one, sign it out and look at your {security}."
          values={{ security: <TextLink to="/account/security">{say('ways in')}</TextLink> }}
        />
      </PageHeader>
      {sessions.status === 'pending' && (
        <div className="flex flex-col gap-6">
          <RowsSkeleton label={say('Loading your sessions…')} titled rows={1} />
          <RowsSkeleton titled rows={2} />
        </div>
      )}
      {sessions.status === 'error' && (
        <Card className={sessions.data && 'mb-6'}>
          <LoadFailure
            title={say('Your sessions could not be loaded')}
            error={sessions.error}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {sessions.data && (
        <SessionLists
          sessions={sessions.data}
          onRevoked={() => void refetch()}
          onRevokeOthers={() => setAsking(true)}
        />
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={say('Sign out all other devices?')}
        description={say('They will have to sign in again. This device stays signed in.')}
        confirm={say('Sign out the others')}
        pending={status === 'pending'}
        error={error}
        onConfirm={revokeOthers}
      />
    </>
  )
}
