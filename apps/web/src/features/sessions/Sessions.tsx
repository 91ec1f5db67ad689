import { defineQuery, useSubscription } from '@countersign/react'
import { type Session, useRevokeOtherSessions, useSessions } from '@countersign/react/account'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { describeDevice } from '../../account/describeDevice.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { useShowsKept } from '../../ui/keptSince.ts'
import { TextLink } from '../../ui/Links.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useKeepFocus } from '../../ui/useKeepFocus.ts'
import { AccessTokensCard } from './AccessTokensCard.tsx'
import { SessionRow } from './SessionRow.tsx'

const ownSessions = defineQuery('_Session', {})

export function Sessions() {
  const sessions = useSessions()
  const { refetch } = sessions
  useShowsKept(sessions)
  const readAgain = () => void refetch()
  // New and revoked sessions appear and disappear automatically. Their use is not worth a request.
  useSubscription({ query: ownSessions, onCreate: readAgain, onDelete: readAgain, onResync: readAgain })
  const { revokeOtherSessions, status } = useRevokeOtherSessions()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<string>()

  const revokeOthers = () => {
    setError(undefined)
    void revokeOtherSessions({
      onSuccess: () => {
        setAsking(false)
        toasts.add(t('All other devices were signed out.'), 'ok')
        void refetch()
      },
      onError: (refusal) => setError(describeError(refusal).message),
    })
  }

  return (
    <>
      <PageHeader title={t('Sessions')}>
        <Trans
          text="Devices and apps signed in to your account. If you don’t recognize one, sign it out and review your {security}."
          values={{ security: <TextLink to="/account/security">{t('sign-in methods')}</TextLink> }}
        />
      </PageHeader>
      {sessions.status === 'pending' && (
        <div className="flex flex-col gap-6">
          <RowsSkeleton label={t('Loading your sessions…')} titled rows={1} />
          <RowsSkeleton titled rows={2} />
        </div>
      )}
      {sessions.status === 'error' && (
        <Card className={sessions.data && 'mb-6'}>
          <LoadFailure
            title={t('Your sessions could not be loaded')}
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
        title={t('Sign out all other devices?')}
        description={t('They’ll need to sign in again. Your access tokens are revoked. This device stays signed in.')}
        confirm={t('Sign out other devices')}
        pending={status === 'pending'}
        error={error}
        onConfirm={revokeOthers}
      />
    </>
  )
}

type Props = { sessions: readonly Session[]; onRevoked: () => void; onRevokeOthers: () => void }

/** This device first, then the other devices, then programs. */
function SessionLists({ sessions, onRevoked, onRevokeOthers }: Props) {
  const sorted = sortSessions(sessions)
  useKeepFocus(sorted.length)
  const own = sorted.filter((session) => session.current)
  const others = sorted.filter((session) => !session.current)
  const isProgram = ({ userAgent }: Session) => describeDevice(userAgent).kind === 'program'
  const devices = others.filter((session) => !isProgram(session))
  const programs = others.filter(isProgram)
  const list = (some: readonly Session[]) => (
    <ul className="-my-3.5 divide-y divide-line">
      {some.map((session) => (
        <SessionRow key={session.objectId} session={session} onRevoked={onRevoked} />
      ))}
    </ul>
  )
  return (
    <div className="flex flex-col gap-6">
      {own.length > 0 && (
        <Card aria-labelledby="this-session">
          <CardHeader id="this-session" title={t('Current session')} />
          {list(own)}
        </Card>
      )}
      <Card aria-labelledby="other-sessions">
        <CardHeader
          id="other-sessions"
          title={t('Other sessions')}
          aside={
            others.length > 0 && (
              <Button look="secondary" onClick={onRevokeOthers}>
                {t('Sign out all other devices')}
              </Button>
            )
          }
        />
        {others.length === 0 && (
          <EmptyState icon={ShieldCheck} title={t('No other sessions')}>
            {t('Only this device is signed in to your account.')}
          </EmptyState>
        )}
        {devices.length > 0 && list(devices)}
      </Card>
      <AccessTokensCard />
      {programs.length > 0 && (
        <Card aria-labelledby="program-sessions">
          <CardHeader id="program-sessions" title={t('Apps and API')} />
          {list(programs)}
        </Card>
      )}
    </div>
  )
}

/** This device first, then by when each was last seen. */
function sortSessions(sessions: readonly Session[]): Session[] {
  const seen = (session: Session) => (session.lastUsedAt ?? session.createdAt).getTime()
  return [...sessions].sort((one, other) => Number(other.current) - Number(one.current) || seen(other) - seen(one))
}
