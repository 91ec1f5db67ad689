import { type Client, type CountersignError, isPasskeySupported, useClient, useSignUp } from '@countersign/react'
import { registerPasskey } from '@countersign/react/core'
import { rememberLastMethod } from '@countersign/react/sheet'
import { WalletMinimal } from 'lucide-react'
import { nameDevice } from '../../account/describeDevice.ts'
import { onboarding } from '../../account/onboarding.ts'
import { SignInTrigger } from '../../account/signIn/SignInTrigger.tsx'
import { withNext } from '../../account/signIn/safeNext.ts'
import { forgetInvitation, useInvitation } from '../../account/signIn/useInvitation.ts'
import { isClaim, useNext } from '../../account/signIn/useNext.ts'
import { useConfig } from '../../config/config.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { chooseText, t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'
import { TextField, UsernameField } from '../../ui/forms/Field.tsx'
import { Form, type FormProblem, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'
import { ExternalLink, TextLink } from '../../ui/Links.tsx'
import { EmailCodeLink, OrLine, ProviderButtons } from './ProviderButtons.tsx'

export function SignUp() {
  const { appName, passwordMinLength, verifyUserEmails, emailCode, providers = [], signIn } = useConfig()
  const next = useNext()
  // A link to the console expires: the setup of the account can wait.
  const isClaiming = isClaim(next)
  const client = useClient()
  const invitation = useInvitation()
  const { mode, emailDomains } = signIn.signUp
  const isClosed = mode === 'closed' || (mode === 'invitation' && !invitation)
  const hasPassword = signIn.methods.includes('password')
  const can = {
    wallet: !emailDomains,
    provider: providers.length > 0,
    emailCode: emailCode?.signUp,
    passkey: false,
    password: false,
  }
  const others = signIn.methods.filter((method) => can[method])
  const hasOthers = others.length > 0
  const { signUp, status } = useSignUp()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()

  const submit = (values: Record<string, string>) => {
    const username = values.username?.trim() ?? ''
    const email = values.email?.trim() ?? ''
    const password = values.password ?? ''
    const fields: FormProblem['fields'] = {}
    if (!username) fields.username = t('Choose a username.')
    if ((email || emailDomains) && !/^[^\s@]+@[^\s@]+$/.test(email)) fields.email = t('Enter a valid email address.')
    if ([...password].length < passwordMinLength)
      fields.password = t('Use at least {count} characters.', { count: passwordMinLength })
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    setProblem(undefined)
    onboarding.expect(!isClaiming)
    void signUp(
      { username, password, ...(email && { email }) },
      {
        onSuccess: (user) => {
          if (isClaiming) onboarding.arrive(user.objectId)
          rememberLastMethod(client, 'password')
          toasts.add(t('Welcome, {name}. Your account is ready.', { name: username }), 'ok')
          if (values.passkey) void addPasskey(client)
        },
        onError: (error) => {
          onboarding.expect(false)
          if (mode === 'open' && error.reason === 'invitationInvalid') forgetInvitation(client)
          setProblem(problemOf(error))
        },
      },
    )
  }

  return (
    <AuthFrame
      title={t('Create your account')}
      intro={t('One account for everything at {app}.', { app: appName })}
      footer={
        <>
          {t('Already have an account?')} <TextLink to={withNext('/sign-in', next)}>{t('Sign in')}</TextLink>
        </>
      }
    >
      {isClosed && <ClosedNote byInvitation={mode === 'invitation'} />}
      {!isClosed && hasOthers && (
        <div className="flex flex-col gap-3">
          {others.map((method) => (
            <OtherMethod key={method} method={method} />
          ))}
        </div>
      )}
      {!isClosed && hasOthers && hasPassword && <OrLine />}
      {!isClosed && hasPassword && (
        <Form formRef={formRef} onSubmit={submit} label={t('Create your account')}>
          <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
          <UsernameField error={errors.username} />
          <TextField
            label={t('Email')}
            name="email"
            type="email"
            autoComplete="email"
            required={emailDomains !== undefined}
            aside={!emailDomains && <span className="text-xs text-muted">{t('optional')}</span>}
            hint={
              emailDomains
                ? t('Use an address of {domains}.', { domains: emailDomains.join(', ') })
                : verifyUserEmails
                  ? t('We’ll email you a link to verify it.')
                  : t('Get back in if you forget your password.')
            }
            error={errors.email}
          />
          <PasswordField
            label={t('Password')}
            name="password"
            autoComplete="new-password"
            minLength={passwordMinLength}
            required
            error={errors.password}
          />
          {isPasskeySupported() && signIn.methods.includes('passkey') && <PasskeyOption />}
          <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="mt-1 w-full">
            {t('Create account')}
          </Button>
          <TermsNote />
        </Form>
      )}
    </AuthFrame>
  )
}

function OtherMethod({ method }: { method: string }) {
  if (method === 'provider') return <ProviderButtons />
  if (method === 'emailCode') return <EmailCodeLink />
  return (
    <SignInTrigger
      only="wallets"
      look="secondary"
      className="w-full"
      icon={<WalletMinimal size={18} aria-hidden="true" />}
      label={t('Continue with a wallet')}
    />
  )
}

function PasskeyOption() {
  return (
    <label className="flex min-h-11 items-start gap-3 text-sm">
      <input type="checkbox" name="passkey" className="mt-0.5 size-5 shrink-0" />
      <span>
        <span className="block font-semibold">{t('Also create a passkey')}</span>
        <span className="text-muted">{t('Sign in next time with your fingerprint, face or PIN.')}</span>
      </span>
    </label>
  )
}

/** The new session is confirmed, so it needs no further proof. Without a passkey the account is complete all the same. */
async function addPasskey(client: Client) {
  try {
    const { name } = await registerPasskey(client, { name: nameDevice(navigator.userAgent) })
    toasts.add(t('Passkey “{name}” added.', { name }), 'ok')
  } catch (cause) {
    const error = cause as CountersignError
    if (!isCancelled(error)) toasts.add(describeError(error).message, 'danger')
  }
}

function ClosedNote({ byInvitation }: { byInvitation: boolean }) {
  return (
    <Alert title={byInvitation ? t('You need an invitation.') : t('This server does not accept new accounts.')}>
      {byInvitation && t('Open the link of your invitation to create an account.')}
    </Alert>
  )
}

/** Terms that users accept with an account, if the operator has published them. */
function TermsNote() {
  const { brand } = useConfig()
  const [termsUrl, privacyUrl] = [chooseText(brand.termsUrl), chooseText(brand.privacyUrl)]
  if (!termsUrl && !privacyUrl) return null
  return (
    <p className="text-xs text-muted">
      {termsUrl && (
        <>
          <Trans
            text="By creating an account, you agree to the {terms}."
            values={{ terms: <ExternalLink href={termsUrl} label={t('terms')} /> }}
          />{' '}
        </>
      )}
      {privacyUrl && (
        <Trans
          text="Read {how}."
          values={{ how: <ExternalLink href={privacyUrl} label={t('how we handle your data')} /> }}
        />
      )}
    </p>
  )
}
