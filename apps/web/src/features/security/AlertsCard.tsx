import { type User, useSession } from '@countersign/react'
import {
  type AccountSecurity,
  useAccountSecurity,
  useRequestEmailVerification,
  useUpdateAccountSecurity,
} from '@countersign/react/account'
import { useState } from 'react'
import { OutboxNotice } from '../../account/OutboxNotice.tsx'
import { findSessionUser } from '../../account/session.ts'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { LoadFailure } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'

type Props = { onStepUp: (again: () => void) => void }

/** Switch for mails about new devices. Off without a verified address. */
export function AlertsCard({ onStepUp }: Props) {
  const user = findSessionUser(useSession())
  const security = useAccountSecurity()
  if (!user) return null
  if (security.status === 'pending') return <RowsSkeleton label={t('Loading your alerts…')} titled rows={1} />
  return (
    <Card aria-labelledby="alerts">
      <CardHeader id="alerts" title={t('Alerts')}>
        {t('Get an email when a new device signs in to your account.')}
      </CardHeader>
      {security.data ? (
        <>
          <AlertsSwitch security={security.data} isReachable={user.emailVerified === true} onStepUp={onStepUp} />
          {!user.emailVerified && <MissingAddress user={user} />}
        </>
      ) : (
        <LoadFailure
          title={t('Your recovery codes and alerts could not be loaded')}
          error={security.error}
          onRetry={() => void security.refetch()}
        />
      )}
    </Card>
  )
}

function AlertsSwitch({
  security,
  isReachable,
  onStepUp,
}: Props & { security: AccountSecurity; isReachable: boolean }) {
  const { updateAccountSecurity } = useUpdateAccountSecurity()
  // The switch moves immediately; the server's response replaces it.
  const [wish, setWish] = useState<{ isOn: boolean; of: AccountSecurity }>()
  const isOn = wish?.of === security ? wish.isOn : security.signInAlerts
  const set = (signInAlerts: boolean) => {
    setWish({ isOn: signInAlerts, of: security })
    void updateAccountSecurity(
      { signInAlerts },
      {
        onSuccess: () =>
          toasts.add(signInAlerts ? t('New-device alerts are on.') : t('New-device alerts are off.'), 'ok'),
        onError: (error) => {
          setWish(undefined)
          if (needsStepUp(error)) onStepUp(() => set(signInAlerts))
          else toasts.add(describeError(error).message, 'danger')
        },
      },
    )
  }
  return (
    <SwitchField
      label={t('Email me about new devices')}
      checked={isReachable && isOn}
      disabled={!isReachable}
      onChange={set}
    />
  )
}

/** Why no email can arrive, and what to do about it. */
function MissingAddress({ user: { email } }: { user: User }) {
  const { verifyUserEmails } = useConfig()
  const { requestEmailVerification, status } = useRequestEmailVerification()
  const send = (address: string) =>
    void requestEmailVerification(
      { email: address },
      {
        onSuccess: () => toasts.add(t('We sent a new link to {email}.', { email: address }), 'ok'),
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <div className="mt-3 flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-warn-soft p-3.5 text-sm">
        <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
          {!email
            ? t('Add an email address to get alerts.')
            : verifyUserEmails
              ? t('Verify {email} to get alerts.', { email })
              : t('Alerts can’t be sent to {email} because it isn’t verified.', { email })}
        </p>
        {!email && (
          <ButtonLink look="secondary" to="/account/profile">
            {t('Add email')}
          </ButtonLink>
        )}
        {email && verifyUserEmails && (
          <Button look="secondary" pending={status === 'pending'} onClick={() => send(email)}>
            {t('Resend email')}
          </Button>
        )}
      </div>
      {status === 'success' && <OutboxNotice />}
    </div>
  )
}
