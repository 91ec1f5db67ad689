import type { CountersignError } from '@countersign/react'
import { type Activity, useRevokeOtherSessions, useRevokeSession } from '@countersign/react/account'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../i18n/translate.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { toasts } from '../ui/feedback/toasts.ts'
import { describeError } from '../ui/forms/describeError.ts'
import { nameDevice } from './describeDevice.ts'

/** Reports a sign-in by somebody else: revokes the session, then leads to the sign-in method that was used. */
export function ReportSignInDialog({ entry, onClose }: { entry: Activity | undefined; onClose: () => void }) {
  const navigate = useNavigate()
  const { revokeSession, status } = useRevokeSession()
  const { revokeOtherSessions, status: othersStatus } = useRevokeOtherSessions()
  const [error, setError] = useState<string>()
  const close = () => {
    setError(undefined)
    onClose()
  }
  const end = () => {
    if (!entry) return
    setError(undefined)
    const { to, next } = getNextSecurityStep(entry)
    const { session } = entry.details
    const callbacks = {
      onSuccess: () => {
        close()
        toasts.add(next, 'ok')
        void navigate(to)
      },
      onError: (refusal: CountersignError) => setError(describeError(refusal).message),
    }
    // Sign-ins of older releases do not say which session they opened: then every other one ends.
    if (typeof session === 'string') void revokeSession({ objectId: session }, callbacks)
    else void revokeOtherSessions(callbacks)
  }
  const device = nameDevice(entry?.userAgent)
  return (
    <ConfirmDialog
      open={entry !== undefined}
      onOpenChange={close}
      title={t('Don’t recognize this sign-in?')}
      description={
        entry &&
        [
          t('{device} will be signed out immediately.', { device }),
          getNextSecurityStep(entry).plan,
          // Codes outlive the session in which they were made.
          entry.details.authProvider !== 'recovery' &&
            t('Generate new recovery codes too, in case that device generated some.'),
        ]
          .filter(Boolean)
          .join(' ')
      }
      confirm={t('Sign out and continue')}
      danger
      pending={status === 'pending' || othersStatus === 'pending'}
      error={error}
      onConfirm={end}
    />
  )
}

const byWallet = new Set(['eip155', 'solana', 'moralisEth', 'moralisSol'])

type SecurityStep = {
  to: string
  /** Steps to announce. */
  plan: string
  /** The current step. */
  next: string
}

/** Place to remove the sign-in method that somebody else used. */
function getNextSecurityStep({ details }: Activity): SecurityStep {
  const means = details.authProvider
  if (typeof means === 'string' && byWallet.has(means))
    return {
      to: '/account/wallets',
      plan: t('Then unlink the wallet it used, to keep it out.'),
      next: t('That device was signed out. Now unlink the wallet it used.'),
    }
  const to = '/account/security'
  if (means === 'passkey')
    return {
      to,
      plan: t('Then remove the passkey it used, to keep it out.'),
      next: t('That device was signed out. Now remove the passkey it used.'),
    }
  if (means === 'recovery')
    return {
      to,
      plan: t('Then generate new recovery codes and change your password to keep it out.'),
      next: t('That device was signed out. Now generate new recovery codes and change your password.'),
    }
  return {
    to,
    plan: t('Then change your password to keep it out.'),
    next: t('That device was signed out. Now change your password.'),
  }
}
