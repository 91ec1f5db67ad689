import { isPasskeySupported, type User, useSaveUser, useSession } from '@countersign/react'
import { useSignInMethods } from '@countersign/react/account'
import { Check, type LucideIcon, Mail } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { AvatarField } from '../../account/AvatarField.tsx'
import { NameOffers } from '../../account/NameOffers.tsx'
import { onboarding } from '../../account/onboarding.ts'
import { findSessionUser } from '../../account/session.ts'
import { AddPasskeyDialog } from '../../account/signIn/AddPasskeyDialog.tsx'
import { methods } from '../../account/signIn/methods.ts'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { safeNext } from '../../account/signIn/safeNext.ts'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { UsernameField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { Main, PageHeading, PageTitle } from '../../ui/Page.tsx'

/** The first screen of a new account. Nothing on it has to be done, and it comes once. */
export function Onboarding() {
  const { appName } = useConfig()
  const user = findSessionUser(useSession())
  const [search] = useSearchParams()
  const [taken, setTaken] = useState('')
  const [isPending, setPending] = useState(false)
  const navigate = useNavigate()
  const next = safeNext(search.get('next'))
  useEffect(() => onboarding.greet(), [])
  if (!user) return <Navigate to="/" replace />
  return (
    <Main className="mx-auto flex w-full max-w-2xl flex-col gap-6 px-4 pt-6 pb-12 sm:px-6 sm:pt-10">
      <PageTitle>{t('Set up your account')}</PageTitle>
      <div>
        <PageHeading className="text-2xl sm:text-3xl">{t('Set up your account')}</PageHeading>
        <p className="mt-2 text-muted">{t('Welcome to {app}. Three quick steps, all optional.', { app: appName })}</p>
      </div>
      <Card aria-labelledby="welcome-name">
        <CardHeader id="welcome-name" title={t('Your username')} />
        <div className="flex flex-col gap-4">
          <NameForm
            key={`${user.objectId} ${taken}`}
            user={user}
            onPending={setPending}
            onDone={() => void navigate(next, { replace: true })}
          />
          <NameOffers user={user} onTaken={setTaken} />
        </div>
      </Card>
      <Card aria-labelledby="welcome-picture">
        <CardHeader id="welcome-picture" title={t('Your picture')} />
        <AvatarField user={user} />
      </Card>
      <Card aria-labelledby="welcome-methods">
        <CardHeader id="welcome-methods" title={t('Backup sign-in method')}>
          {t('Get back in if you lose your first one.')}
        </CardHeader>
        <BackupMethods user={user} />
      </Card>
      <Button type="submit" form={nameForm} pending={isPending} className="self-stretch sm:self-end">
        {t('Continue')}
      </Button>
    </Main>
  )
}

const nameForm = 'welcome-name-form'

type NameFormProps = { user: User; onPending: (isPending: boolean) => void; onDone: () => void }

/** Name only, where the whole profile would be too much. It is saved by the page's one button. */
function NameForm({ user, onPending, onDone }: NameFormProps) {
  const { saveUser } = useSaveUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const { ask, dialog } = useConfirmation()
  const save = ({ username = '' }: Record<string, string>) => {
    const name = username.trim()
    if (!name) return setProblem({ fields: { username: t('Enter a username.') } })
    setProblem(undefined)
    if (name === user.username) return onDone()
    rename(name)
  }
  const rename = (name: string) => {
    onPending(true)
    void saveUser(
      { username: name },
      {
        onSuccess: () => {
          toasts.add(t('Your username is now {name}.', { name }), 'ok')
          onDone()
        },
        onError: (error) => (needsStepUp(error) ? ask(() => rename(name)) : setProblem(problemOf(error))),
      },
    ).finally(() => onPending(false))
  }
  return (
    <>
      <Form id={nameForm} formRef={formRef} onSubmit={save} label={t('Your username')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <UsernameField defaultValue={user.username} error={errors.username} />
      </Form>
      <StepUpDialog {...dialog} />
    </>
  )
}

/** Sign-in methods besides the one that was just used, in case that one is lost. */
function BackupMethods({ user }: { user: User }) {
  const signInMethods = useSignInMethods()
  const [isAdding, setAdding] = useState(false)
  const { ask, dialog } = useConfirmation()
  if (!signInMethods.data) {
    const [label, failure] = [t('Loading your sign-in methods…'), t('Your sign-in methods could not be loaded')]
    return <ReadingStatus reading={signInMethods} label={label} failure={failure} bare rows={4} />
  }
  const { password, wallets, passkeys } = signInMethods.data
  return (
    <>
      <ul className="divide-y divide-line">
        {isPasskeySupported() && (
          <Way
            icon={methods.passkey.icon}
            title={t('Passkey')}
            text={methods.passkey.describe()}
            done={passkeys.length > 0}
          >
            <Button look="secondary" onClick={() => setAdding(true)}>
              {t('Add a passkey')}
            </Button>
          </Way>
        )}
        <Way icon={methods.wallet.icon} title={t('Wallet')} text={methods.wallet.describe()} done={wallets.length > 0}>
          <Button look="secondary" aria-haspopup="dialog" onClick={() => signInSheet.open({ purpose: 'link' })}>
            {t('Link a wallet')}
          </Button>
        </Way>
        <Way icon={methods.password.icon} title={t('Password')} text={methods.password.describe()} done={password}>
          <ButtonLink look="secondary" to="/account/security">
            {t('Add a password')}
          </ButtonLink>
        </Way>
        <Way icon={Mail} title={t('Email')} text={t('For account recovery links.')} done={Boolean(user.email)}>
          <ButtonLink look="secondary" to="/account/profile">
            {t('Add an email address')}
          </ButtonLink>
        </Way>
      </ul>
      <AddPasskeyDialog open={isAdding} onOpenChange={setAdding} onStepUp={ask} />
      <StepUpDialog {...dialog} />
    </>
  )
}

type WayProps = { icon: LucideIcon; title: string; text: string; done: boolean; children: ReactNode }

function Way({ icon: Icon, title, text, done, children }: WayProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5 first:pt-0 last:pb-0">
      <span className="grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted">
        <Icon size={20} aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1 basis-40">
        <span className="block font-semibold">{title}</span>
        <span className="block text-sm text-muted">{text}</span>
      </span>
      {done ? (
        <span className="inline-flex min-h-11 items-center gap-1.5 text-sm font-semibold text-ok max-sm:ms-14">
          <Check size={17} aria-hidden="true" /> {t('Set up|state')}
        </span>
      ) : (
        <span className="max-sm:ms-14">{children}</span>
      )}
    </li>
  )
}
