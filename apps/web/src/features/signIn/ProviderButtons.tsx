import { takeProviderResponse, useClient, useSignInWithProvider } from '@countersign/react'
import type { SignInWithProviderInput } from '@countersign/react/core'
import { findLastMethod, rememberLastMethod } from '@countersign/react/sheet'
import { LogIn, Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { withNext } from '../../account/signIn/safeNext.ts'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { forgetInvitation } from '../../account/signIn/useInvitation.ts'
import { toastSignedIn, useSignOut } from '../../account/signIn/useSignOut.ts'
import { useConfig } from '../../config/config.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { useSecondStep } from './useSecondStep.ts'

type Look = { look?: 'primary' | 'secondary' }

/** As the sheet remembers it. */
const keyOf = ({ name }: { name: string }) => `provider:${name}`

/** Between the buttons and the form. */
export function OrLine() {
  return (
    <p className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('or')}
    </p>
  )
}

/** To the page that mails a code. */
export function EmailCodeLink({ look = 'secondary' }: Look) {
  const [search] = useSearchParams()
  return (
    <ButtonLink look={look} to={withNext('/sign-in/code', search.get('next'))} className="w-full">
      <Mail size={18} aria-hidden="true" />
      {t('Email me a code')}
    </ButtonLink>
  )
}

/** A button for each provider of the server. The page goes there and comes back to itself. */
export function ProviderButtons({ look = 'secondary' }: Look) {
  const { providers = [], signIn: rules } = useConfig()
  const client = useClient()
  const last = findLastMethod(client)
  const sorted = providers.toSorted((a, b) => Number(last === keyOf(b)) - Number(last === keyOf(a)))
  const { signInWithProvider, ...signingIn } = useSignInWithProvider()
  const { signOut } = useSignOut()
  const orSecondStep = useSecondStep()
  const [chosen, setChosen] = useState('')
  const [isExpired, setExpired] = useState(false)

  const signIn = (provider: string, input: SignInWithProviderInput) => {
    setExpired(false)
    setChosen(provider)
    void signInWithProvider(input, {
      onSuccess: (user) => {
        rememberLastMethod(client, keyOf({ name: provider }))
        toastSignedIn(user, signOut)
      },
      onError: orSecondStep(({ reason }) => {
        if (reason === 'invitationInvalid' && rules.signUp.mode === 'open') forgetInvitation(client)
      }),
    })
  }
  const goOn = useRef(signIn)
  goOn.current = signIn
  useEffect(() => {
    void takeProviderResponse().then((back) => {
      if (!back) return
      if (back.response.state === '') setExpired(true)
      else goOn.current(back.provider, { response: back.response })
    })
  }, [])

  const error = signingIn.status === 'error' && signingIn.error.reason !== 'cancelled' ? signingIn.error : undefined
  const isDeleted = error?.reason === 'accountDeletionPending'
  return (
    <>
      {isExpired && <Alert tone="danger" title={t('This sign-in has expired. Start again.')} />}
      {error && (
        <Alert
          tone="danger"
          title={translateError(error)}
          actions={
            isDeleted && (
              <Button
                look="secondary"
                onClick={() => signIn(chosen, { provider: chosen, display: 'popup', restoreAccount: true })}
              >
                {t('Restore and sign in')}
              </Button>
            )
          }
        />
      )}
      {sorted.map(({ name, label, kind }, index) => (
        <Button
          key={name}
          look={index === 0 ? look : 'secondary'}
          className="w-full"
          pending={signingIn.status === 'pending' && chosen === name}
          onClick={() =>
            kind === 'farcaster'
              ? signInSheet.open({ provider: { name, label, kind } })
              : signIn(name, { provider: name, display: 'redirect' })
          }
        >
          <LogIn size={18} aria-hidden="true" />
          {t('Continue with {provider}', { provider: label })}
        </Button>
      ))}
    </>
  )
}
