import { useRefetchUser, useSession, useVerifyEmail } from '@countersign/react'
import { Link2Off, MailCheck, MailQuestion } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { Spinner } from '../components/Spinner.tsx'
import { findSessionUser } from '../lib/findSessionUser.ts'

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
      <AuthFrame title="This link is incomplete">
        <EmptyState icon={Link2Off} title="A part of the address is missing">
          Mail programs sometimes break long links. Copy the whole line from the mail.
        </EmptyState>
      </AuthFrame>
    )

  if (verification.status === 'success')
    return (
      <AuthFrame title="E-mail verified">
        <div role="status">
          <EmptyState
            icon={MailCheck}
            title="Thank you. The address is yours."
            actions={
              signedIn ? (
                <ButtonLink to="/account/profile">To your profile</ButtonLink>
              ) : (
                <ButtonLink to="/sign-in">Sign in</ButtonLink>
              )
            }
          />
        </div>
      </AuthFrame>
    )

  if (verification.status === 'error')
    return (
      <AuthFrame title="This link does not work">
        <div role="alert">
          <EmptyState
            icon={MailQuestion}
            title={verification.error.message}
            actions={
              <>
                <Button look="secondary" onClick={() => void verifyEmail({ token }, { onError: () => {} })}>
                  Try again
                </Button>
                {signedIn && <ButtonLink to="/account/profile">Send a new link</ButtonLink>}
              </>
            }
          >
            You can have a new one sent from your profile.
          </EmptyState>
        </div>
      </AuthFrame>
    )

  return (
    <AuthFrame title="Verifying your e-mail">
      <p role="status" className="flex items-center justify-center gap-3 py-10 text-muted">
        <Spinner /> One moment…
      </p>
    </AuthFrame>
  )
}
