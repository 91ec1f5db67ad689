import { useRefetchUser, useSession } from '@countersign/react'
import { useVerifyEmail } from '@countersign/react/account'
import { MailCheck, MailQuestion } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { ButtonLink, Spinner } from '../../ui/Button.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/EmptyState.tsx'
import { IncompleteLink } from './IncompleteLink.tsx'

export function VerifyEmail() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const signedIn = findSessionUser(useSession()) !== undefined
  const { refetchUser } = useRefetchUser()
  const verification = useVerifyEmail()
  const { verifyEmail } = verification
  const tried = useRef<string>(undefined)

  // Opening the link is the act; a second run of the effect would spend the token twice.
  useEffect(() => {
    if (!token || tried.current === token) return
    tried.current = token
    void verifyEmail({ token }, { onSuccess: () => signedIn && void refetchUser(), onError: () => {} })
  }, [token, verifyEmail, refetchUser, signedIn])

  if (!token) return <IncompleteLink />

  if (verification.status === 'success')
    return (
      <AuthFrame title={t('Email verified')}>
        <div role="status">
          <EmptyState
            icon={MailCheck}
            actions={
              signedIn ? (
                <ButtonLink to="/account/profile">{t('Go to your profile')}</ButtonLink>
              ) : (
                <ButtonLink to="/sign-in">{t('Sign in')}</ButtonLink>
              )
            }
          />
        </div>
      </AuthFrame>
    )

  // A failed connection or a rate limit says nothing about the link.
  if (verification.status === 'error' && ['serverUnreachable', 'rateLimited'].includes(verification.error.reason))
    return (
      <AuthFrame title={t('Not verified yet')}>
        <LoadFailure
          title={t('The link could not be checked')}
          error={verification.error}
          onRetry={() =>
            void verifyEmail({ token }, { onSuccess: () => signedIn && void refetchUser(), onError: () => {} })
          }
        />
      </AuthFrame>
    )

  if (verification.status === 'error')
    return (
      <AuthFrame title={t('This link doesn’t work')}>
        <div role="alert">
          <EmptyState
            icon={MailQuestion}
            actions={
              signedIn ? (
                <ButtonLink to="/account/profile">{t('Go to your profile')}</ButtonLink>
              ) : (
                <ButtonLink to="/sign-in?next=%2Faccount%2Fprofile">{t('Sign in to resend')}</ButtonLink>
              )
            }
          >
            {translateError(verification.error)}
          </EmptyState>
        </div>
      </AuthFrame>
    )

  return (
    <AuthFrame title={t('Verifying your email')}>
      <p role="status" className="flex items-center justify-center gap-3 py-10 text-muted">
        <Spinner /> {t('One moment…')}
      </p>
    </AuthFrame>
  )
}
