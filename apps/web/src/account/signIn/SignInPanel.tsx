import { type User, useSession } from '@countersign/react'
import { useUndoAccountMerge } from '@countersign/react/account'
import { type SignInResult, SignInSheet } from '@countersign/react/sheet'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { useConfig } from '../../config/config.ts'
import { isLanguage, language } from '../../i18n/languages.ts'
import { toasts } from '../../ui/feedback/toasts.ts'
import { onboarding } from '../onboarding.ts'
import { withNext } from './safeNext.ts'
import { type SheetState, signInSheet } from './signInSheet.ts'
import { useConfirmation } from './useConfirmation.ts'
import { useNext } from './useNext.ts'
import { toastSignedIn, useSignOut } from './useSignOut.ts'
import '@countersign/react/sheet.css'
import { t, translateError } from '../../i18n/translate.ts'
import { lazyPart } from '../../ui/lazyPart.ts'

const StepUpDialog = lazyPart(async () => (await import('./StepUpDialog.tsx')).StepUpDialog)

const links = { forgot: '/forgot', getWallet: 'https://ethereum.org/wallets/find-wallet/' }

/** The sign-in sheet with what this application does around it. */
export function SignInPanel({ state }: { state: SheetState }) {
  const config = useConfig()
  const navigate = useNavigate()
  const next = useNext()
  const { signOut } = useSignOut()
  const { undoAccountMerge: undoMerge } = useUndoAccountMerge()
  const { ask, dialog } = useConfirmation()
  // Another sheet for each sign-in that was given up for want of a proof.
  const [round, setRound] = useState(0)
  const shown: Extract<SheetState, { status: 'open' }> =
    state.status === 'open' ? state : { status: 'open', purpose: 'signIn' }
  const { purpose, connector, provider, only, title } = shown

  // The session was ended elsewhere: there is nothing to link to any more, and the page below asks to sign in.
  const { status } = useSession()
  const isOver = purpose === 'link' && status === 'unauthenticated'
  useEffect(() => {
    if (isOver) signInSheet.close()
  }, [isOver])

  const chosen = useSyncExternalStore(language.subscribe, language.get)

  const finish = (user: User, { isNew, linked, merged }: SignInResult) => {
    if (isLanguage(user.language)) language.set(user.language)
    if (merged) {
      const undo = () =>
        void undoMerge(merged, {
          onSuccess: () =>
            toasts.add(t('Merge undone. {name} is a separate account again.', { name: merged.username }), 'ok'),
          onError: (error) => toasts.add(translateError(error), 'danger'),
        })
      toasts.add(t('{name} was merged into your account.', { name: merged.username }), 'ok', {
        label: t('Undo'),
        run: undo,
      })
    } else if (linked) toasts.add(t('Wallet linked to your account.'), 'ok')
    else {
      if (isNew) onboarding.arrive(user.objectId)
      toastSignedIn(user, signOut, isNew)
    }
  }
  const stepUp = (goOn: () => void) => {
    signInSheet.open({ purpose })
    ask(goOn)
  }
  const giveUp = () => {
    dialog.onOpenChange()
    signInSheet.close()
    setRound(round + 1)
  }

  return (
    <>
      <SignInSheet
        key={round}
        open={state.status === 'open' && !dialog.open}
        purpose={purpose}
        {...(connector && { connector })}
        {...(provider && { provider })}
        {...(title && { title })}
        {...(only === 'wallets' && { passkey: false, password: false, providers: false, emailCode: false })}
        {...(chosen && { language: chosen })}
        links={config.signIn.signUp.mode === 'closed' ? links : { ...links, signUp: withNext('/sign-up', next) }}
        returnTo={withNext('/sign-in', next)}
        onNavigate={(href) => void navigate(href)}
        onClose={signInSheet.close}
        onDone={finish}
        onReauthenticate={stepUp}
        onSecondFactor={(step) => {
          signInSheet.close()
          void navigate(withNext('/sign-in/second-step', next), { state: step })
        }}
      />
      {dialog.open && (
        <Suspense>
          <StepUpDialog {...dialog} onOpenChange={giveUp} />
        </Suspense>
      )}
    </>
  )
}
