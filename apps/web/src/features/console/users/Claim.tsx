import type { CountersignError } from '@countersign/protocol'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { AuthFrame } from '../../../ui/AuthFrame.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { describeError } from '../../../ui/forms/describeError.ts'
import { ask } from '../ask.ts'

type Props = {
  /** The name of the account, where somebody is signed in. */
  username: string | undefined
  token: string
}

/** A one-time link that makes its reader an operator. Nothing happens before it is accepted: previews open links too. */
export function Claim({ username, token }: Props) {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  const accept = async () => {
    setPending(true)
    setError(undefined)
    try {
      await ask('claimConsole', { token })
      window.location.assign('/admin')
    } catch (cause) {
      setError(describeError(cause as CountersignError).message)
      setPending(false)
    }
  }
  const next = encodeURIComponent(`/admin/claim#${token}`)
  return (
    <AuthFrame title={t('Become an administrator')}>
      {error && <Alert tone="danger" title={error} className="mb-4" />}
      <div className="flex flex-col gap-4">
        {username === undefined ? (
          <>
            <p className="text-muted">
              {t('Sign in or create an account. It becomes an administrator of this server.')}
            </p>
            <ButtonLink to={`/sign-in?next=${next}`}>{t('Sign in')}</ButtonLink>
            <ButtonLink to={`/sign-up?next=${next}`} look="secondary">
              {t('Create account')}
            </ButtonLink>
          </>
        ) : (
          <>
            <p className="text-muted">
              {t('The account {name} becomes an administrator of this server. The link works once.', {
                name: username,
              })}
            </p>
            <Button pending={pending} onClick={() => void accept()}>
              {t('Become an administrator')}
            </Button>
          </>
        )}
      </div>
    </AuthFrame>
  )
}
