import { isPasskeySupported, type User } from '@countersign/react'
import type { AccountSecurity, SignInMethods } from '@countersign/react/account'
import { LifeBuoy, type LucideIcon, Mail, MailCheck, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { methods } from '../../account/signIn/methods.ts'
import { t } from '../../i18n/translate.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'

export type SetupStep = {
  id: 'passkey' | 'codes' | 'email' | 'verify'
  isDone: boolean
  icon: LucideIcon
  title: string
  text: string
  action: string
  /** Link to the step; a passkey is added in a dialog of this page. */
  to?: string
}

type Known = { user: User; signInMethods: SignInMethods; security: AccountSecurity; verifyUserEmails: boolean }

/** Setup steps of an account: first those that prevent a lockout. */
export function listSetupSteps({ user, signInMethods, security, verifyUserEmails }: Known): SetupStep[] {
  const { left } = security.recoveryCodes
  const steps: (SetupStep | false)[] = [
    (signInMethods.passkeys.length > 0 || isPasskeySupported()) && {
      id: 'passkey',
      isDone: signInMethods.passkeys.length > 0,
      icon: methods.passkey.icon,
      title: t('Passkey'),
      text: methods.passkey.describe(),
      action: t('Add a passkey'),
    },
    {
      id: 'codes',
      isDone: left > 2,
      icon: LifeBuoy,
      title: t('Recovery codes'),
      text: t('Get back in if you lose your other sign-in methods.'),
      action: t('Generate codes'),
      to: '/account/security#recovery-codes',
    },
    {
      id: 'email',
      isDone: Boolean(user.email),
      icon: Mail,
      title: t('Email'),
      text: t('You’ll need it to reset your password.'),
      action: t('Add email'),
      to: '/account/profile',
    },
    // Without an address there is no mail to look for yet.
    verifyUserEmails &&
      Boolean(user.email) && {
        id: 'verify',
        isDone: user.emailVerified === true,
        icon: MailCheck,
        title: t('Verify your email address'),
        text: t('Open the link in the email we sent you.'),
        action: t('Resend email'),
        to: '/account/profile',
      },
  ]
  return steps.filter((step) => step !== false)
}

type Props = { steps: readonly SetupStep[]; isFirst: boolean; onAddPasskey: () => void; onDismiss: () => void }

/** The steps that are still open. Those that are done are a number. */
export function SetupCard({ steps, isFirst, onAddPasskey, onDismiss }: Props) {
  const open = steps.filter(({ isDone }) => !isDone)
  return (
    <Card aria-labelledby="next-steps">
      <CardHeader
        id="next-steps"
        title={t('Finish setting up')}
        isNarrow
        aside={
          <IconButton label={t('Dismiss')} onClick={onDismiss} className="-me-2 -mt-2">
            <X size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {t('{done} of {all} complete', { done: steps.length - open.length, all: steps.length })}
      </CardHeader>
      <ul className="-mb-3.5 divide-y divide-line border-t border-line">
        {open.map((step, place) => (
          <li key={step.id} className="flex flex-wrap items-center gap-x-3.5 gap-y-2 py-3.5">
            <step.icon size={20} aria-hidden="true" className="shrink-0 text-muted" />
            {/* A long word, as in German, gets a line of its own instead of running into the button. */}
            <span className="min-w-0 flex-1 basis-44">
              <span className="block font-semibold hyphens-auto wrap-anywhere">{step.title}</span>
              <span className="block text-sm text-muted max-sm:hidden">{step.text}</span>
            </span>
            <StepAction step={step} isFirst={isFirst && place === 0} onAddPasskey={onAddPasskey} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type StepActionProps = { step: SetupStep; isFirst: boolean; onAddPasskey: () => void }

/** The press that does the step. */
export function StepAction({ step: { id, action, to }, isFirst, onAddPasskey }: StepActionProps): ReactNode {
  const look = isFirst ? 'primary' : 'secondary'
  if (id === 'passkey' || to === undefined)
    return (
      <Button look={look} aria-haspopup="dialog" onClick={onAddPasskey} className="shrink-0">
        {action}
      </Button>
    )
  return (
    <ButtonLink look={look} to={to} className="shrink-0">
      {action}
    </ButtonLink>
  )
}

const key = 'Countersign/setup-hidden'

/** Remembers in this browser that the person hid the steps. */
export function useHiddenSteps(userId: string): [isHidden: boolean, hide: () => void] {
  const [hidden, setHidden] = useState(read)
  const hide = () => {
    setHidden(userId)
    try {
      localStorage.setItem(key, userId)
    } catch {
      // Storage is refused in some privacy modes: they are back on the next visit.
    }
  }
  return [hidden === userId, hide]
}

function read(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
