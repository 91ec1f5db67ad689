import { query, useRevokeOtherSessions, useSessions, useSubscription } from '@countersign/react'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../components/Card.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { IconButton } from '../components/IconButton.tsx'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { RowsSkeleton } from '../components/RowsSkeleton.tsx'
import { SessionLists } from '../components/SessionLists.tsx'
import { describeError } from '../lib/describeError.ts'
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
        toasts.add('All other devices are signed out.', 'ok')
        void refetch()
      },
      onError: (refusal) => setError(describeError(refusal).message),
    })
  }

  return (
    <>
      <PageHeader
        title="Sessions"
        aside={
          <IconButton label="Load again" onClick={() => void refetch()}>
            <RefreshCw size={19} aria-hidden="true" />
          </IconButton>
        }
      >
        Every device and program that is signed in to your account. If you do not know one, sign it out and change your
        password.
      </PageHeader>
      {sessions.status === 'pending' && <RowsSkeleton label="Loading your sessions…" />}
      {sessions.status === 'error' && (
        <Card>
          <LoadFailure
            title="Your sessions could not be loaded"
            error={sessions.error}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {sessions.status === 'success' && (
        <SessionLists
          sessions={sessions.data}
          onRevoked={() => void refetch()}
          onRevokeOthers={() => setAsking(true)}
        />
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out all other devices?"
        description="They will have to sign in again. This device stays signed in."
        confirm="Sign out the others"
        pending={status === 'pending'}
        error={error}
        onConfirm={revokeOthers}
      />
    </>
  )
}
