import { useRefetchUser, useSession, useVerifyEmail } from '@countersign/react'
import { Link2Off, MailCheck, MailQuestion } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { Spinner } from '../components/Spinner.tsx'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { say } from '../lib/say.ts'
import { translateError } from '../lib/translateError.ts'

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

  if (!token)
    return (
      <AuthFrame title={say('This link is incomplete')}>
        <EmptyState icon={Link2Off} title={say('A part of the address is missing')}>
          {say('Mail programs sometimes break long links. Copy the whole line from the mail.')}
        </EmptyState>
      </AuthFrame>
    )

  if (verification.status === 'success')
    return (
      <AuthFrame title={say('E-mail verified')}>
        <div role="status">
          <EmptyState
            icon={MailCheck}
            title={say('Thank you. The address is yours.')}
            actions={
              signedIn ? (
                <ButtonLink to="/account/profile">{say('To your profile')}</ButtonLink>
              ) : (
                <ButtonLink to="/sign-in">{say('Sign in')}</ButtonLink>
              )
            }
          />
        </div>
      </AuthFrame>
    )

  // What did not reach the server, or came too often, says nothing about the link.
  if (verification.status === 'error' && ['serverUnreachable', 'rateLimited'].includes(verification.error.reason))
    return (
      <AuthFrame title={say('Not verified yet')}>
        <LoadFailure
          title={say('The link could not be checked')}
          error={verification.error}
          onRetry={() =>
            void verifyEmail({ token }, { onSuccess: () => signedIn && void refetchUser(), onError: () => {} })
          }
        />
      </AuthFrame>
    )

  if (verification.status === 'error')
    return (
      <AuthFrame title={say('This link does not work')}>
        <div role="alert">
          <EmptyState
            icon={MailQuestion}
            title={translateError(verification.error)}
            actions={
              signedIn ? (
                <ButtonLink to="/account/profile">{say('To your profile')}</ButtonLink>
              ) : (
                <ButtonLink to="/sign-in?next=%2Faccount%2Fprofile">{say('Sign in')}</ButtonLink>
              )
            }
          >
            {say('You can have a new one sent from your profile.')}
          </EmptyState>
        </div>
      </AuthFrame>
    )

  return (
    <AuthFrame title={say('Verifying your e-mail')}>
      <p role="status" className="flex items-center justify-center gap-3 py-10 text-muted">
        <Spinner /> {say('One moment…')}
      </p>
    </AuthFrame>
  )
}
