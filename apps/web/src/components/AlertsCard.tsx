import { type User, useUpdateAccountSecurity } from '@countersign/react'
import { describeError } from '../lib/describeError.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { toasts } from '../lib/toasts.ts'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { SwitchField } from './SwitchField.tsx'
import { TextLink } from './TextLink.tsx'

type Props = { user: User; isOn: boolean; onStepUp: (again: () => void) => void }

/** Whether the owner hears of sign-ins that they did not make. */
export function AlertsCard({ user, isOn, onStepUp }: Props) {
  const { updateAccountSecurity } = useUpdateAccountSecurity()
  const set = (signInAlerts: boolean) =>
    void updateAccountSecurity(
      { signInAlerts },
      {
        onSuccess: () =>
          toasts.add(signInAlerts ? 'You will hear of new devices.' : 'New devices come unannounced.', 'ok'),
        onError: (error) => {
          if (needsStepUp(error)) onStepUp(() => set(signInAlerts))
          else toasts.add(describeError(error).message, 'danger')
        },
      },
    )
  return (
    <Card aria-labelledby="alerts">
      <CardHeader id="alerts" title="Alerts">
        A mail when a device that was not here before signs in to your account. All sign-ins are in your{' '}
        <TextLink to="/account/activity?kind=sign-ins">activity</TextLink>.
      </CardHeader>
      <SwitchField label="Tell me of new devices" checked={isOn} onChange={set} />
      {isOn && !user.emailVerified && (
        <p className="mt-2 text-sm text-muted">
          No mail can reach you yet: <TextLink to="/account/profile">add and verify an e-mail address</TextLink> first.
        </p>
      )}
    </Card>
  )
}
