import { type AccountSecurity, type User, useUpdateAccountSecurity } from '@countersign/react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { Phrase } from './Phrase.tsx'
import { SwitchField } from './SwitchField.tsx'
import { TextLink } from './TextLink.tsx'

type Props = { user: User; security: AccountSecurity; onStepUp: (again: () => void) => void }

/** Whether the owner hears of sign-ins that they did not make. */
export function AlertsCard({ user, security, onStepUp }: Props) {
  const { updateAccountSecurity } = useUpdateAccountSecurity()
  // The switch moves with the finger; what the server says later takes its place.
  const [wish, setWish] = useState<{ isOn: boolean; of: AccountSecurity }>()
  const isOn = wish?.of === security ? wish.isOn : security.signInAlerts
  const set = (signInAlerts: boolean) => {
    setWish({ isOn: signInAlerts, of: security })
    void updateAccountSecurity(
      { signInAlerts },
      {
        onSuccess: () =>
          toasts.add(signInAlerts ? say('You will hear of new devices.') : say('New devices come unannounced.'), 'ok'),
        onError: (error) => {
          setWish(undefined)
          if (needsStepUp(error)) onStepUp(() => set(signInAlerts))
          else toasts.add(describeError(error).message, 'danger')
        },
      },
    )
  }
  return (
    <Card aria-labelledby="alerts">
      <CardHeader id="alerts" title={say('Alerts')}>
        {say('A mail when a device that was not here before signs in to your account.')}
      </CardHeader>
      <SwitchField label={say('Tell me of new devices')} checked={isOn} onChange={set} />
      {isOn && !user.emailVerified && (
        <p className="mt-2 text-sm text-muted">
          <Phrase
            text="No mail can reach you yet: {mend} first."
            values={{ mend: <TextLink to="/account/profile">{say('add and verify an e-mail address')}</TextLink> }}
          />
        </p>
      )}
    </Card>
  )
}
