import type { AuthorizationRequest } from '@countersign/protocol'
import { CountersignError, useRead, useSession } from '@countersign/react'
import { AppWindow, Link2Off, MonitorSmartphone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { describeScope } from '../../account/describeScope.ts'
import { findSessionUser } from '../../account/session.ts'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { callEndpoint } from '../../config/callEndpoint.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { describeError } from '../../ui/forms/describeError.ts'

/** Consent to an application that signs the person in with their account here. */
export function Authorize() {
  const { uid = '' } = useParams()
  const user = findSessionUser(useSession())
  // Read again for another account: its consent is its own.
  const request = useRead(['authorize', uid, user?.objectId ?? ''], ({ signal }) =>
    callEndpoint('getAuthorizationRequest', { uid }, { signal }),
  )
  if (request.status === 'error')
    return (
      <AuthFrame title={t('This request has ended')}>
        <EmptyState icon={Link2Off}>{describeError(request.error as CountersignError).message}</EmptyState>
      </AuthFrame>
    )
  if (!request.data)
    return (
      <AuthFrame title={t('Sign in to an app')}>
        <RowsSkeleton label={t('Loading…')} rows={3} />
      </AuthFrame>
    )
  if (request.data.needs === 'signIn' || !user)
    return <Navigate to={`/sign-in?next=${encodeURIComponent(`/authorize/${uid}`)}`} replace />
  return <Consent key={user.objectId} uid={uid} name={user.username ?? ''} request={request.data} />
}

type Props = { uid: string; name: string; request: AuthorizationRequest }

function Consent({ uid, name, request }: Props) {
  const { client, needs, scopes, userCode } = request
  const confirmation = useConfirmation()
  const [pending, setPending] = useState<'allow' | 'refuse'>()
  const [problem, setProblem] = useState<string>()
  const answer = async (allow: boolean) => {
    setPending(allow ? 'allow' : 'refuse')
    setProblem(undefined)
    try {
      const { location } = await callEndpoint('answerAuthorizationRequest', { uid, allow })
      window.location.assign(location)
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      setPending(undefined)
      if (needsStepUp(error)) confirmation.ask(() => void answer(allow))
      else setProblem(describeError(error).message)
    }
  }
  const isKnown = needs === 'nothing'
  const began = useRef(false)
  // The person has agreed to all of this before.
  useEffect(() => {
    if (!isKnown || began.current) return
    began.current = true
    void answer(true)
  })
  if (isKnown && !problem)
    return (
      <AuthFrame title={t('Signing in to {app}', { app: client.name })}>
        <RowsSkeleton label={t('Loading…')} rows={1} />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Continue to {app}?', { app: client.name })}
      intro={<Trans text="Signed in as {name}" values={{ name: <strong className="break-all">{name}</strong> }} />}
    >
      <div className="flex flex-col gap-5">
        {problem && <Alert tone="danger" title={problem} />}
        {userCode && (
          <Alert tone="warn" title={t('Only continue if your device shows this code: {code}', { code: userCode })} />
        )}
        {client.origin !== 'operator' && (
          <Alert tone="warn" title={t('Nobody here has checked this app. Only its web address is known.')} />
        )}
        {client.host !== '' && (
          <p className="flex items-center gap-3 rounded-control bg-sunken p-3 text-sm">
            {userCode ? <MonitorSmartphone size={20} aria-hidden="true" /> : <AppWindow size={20} aria-hidden="true" />}
            <span className="min-w-0 break-words">
              <Trans
                text="You return to {host}"
                values={{ host: <bdi className="font-semibold">{client.host}</bdi> }}
              />
            </span>
          </p>
        )}
        <section aria-labelledby="scopes">
          <h2 id="scopes" className="text-sm font-semibold">
            {t('The app can:')}
          </h2>
          <ul className="mt-2 flex list-disc flex-col gap-1.5 ps-5 text-sm">
            {scopes.map((scope) => (
              <li key={scope}>{describeScope(scope)}</li>
            ))}
          </ul>
        </section>
        <div className="flex flex-wrap gap-3">
          <Button
            look="secondary"
            className="flex-1"
            pending={pending === 'refuse'}
            disabled={pending !== undefined}
            onClick={() => void answer(false)}
          >
            {t('Cancel')}
          </Button>
          <Button
            className="flex-1"
            pending={pending === 'allow'}
            disabled={pending !== undefined}
            onClick={() => void answer(true)}
          >
            {t('Allow')}
          </Button>
        </div>
        <p className="text-xs text-muted">{t('You can end the access in your account under Connected apps.')}</p>
      </div>
      <StepUpDialog {...confirmation.dialog} description={t('This app asks you to confirm it’s you.')} />
    </AuthFrame>
  )
}
