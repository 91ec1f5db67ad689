import { type User, useSession, useUndoMerge } from '@countersign/react'
import { type FlowOutcome, SignInSheet } from '@countersign/react/sheet'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { language } from '../lib/language.ts'
import { isLanguage } from '../lib/languages.ts'
import { newcomer } from '../lib/newcomer.ts'
import { type SheetState, signInSheet } from '../lib/signInSheet.ts'
import { toastSignedIn } from '../lib/toastSignedIn.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { useSignOut } from '../lib/useSignOut.ts'
import '@countersign/react/sheet.css'
import { say } from '../lib/say.ts'
import { translateError } from '../lib/translateError.ts'

const StepUpDialog = lazy(async () => ({ default: (await import('./StepUpDialog.tsx')).StepUpDialog }))

const links = { signUp: '/sign-up', forgot: '/forgot', getWallet: 'https://ethereum.org/wallets/find-wallet/' }

/** The sign-in sheet with what this application does around it. */
export function SignInPanel({ state }: { state: SheetState }) {
  const navigate = useNavigate()
  const { signOut } = useSignOut()
  const { undoMerge } = useUndoMerge()
  const { ask, dialog } = useConfirmation()
  // Another sheet for each sign-in that was given up for want of a proof.
  const [round, setRound] = useState(0)
  const { purpose, connector } = state.status === 'open' ? state : { purpose: 'signIn' as const, connector: undefined }

  // The session was ended elsewhere: there is nothing to link to any more, and the page below asks to sign in.
  const { status } = useSession()
  const isOver = purpose === 'link' && status === 'unauthenticated'
  useEffect(() => {
    if (isOver) signInSheet.close()
  }, [isOver])

  const chosen = useSyncExternalStore(language.subscribe, language.get)

  const finish = (user: User, { isNew, linked, merged }: FlowOutcome) => {
    if (isLanguage(user.language)) language.set(user.language)
    if (merged) {
      const undo = () =>
        void undoMerge(merged, {
          onSuccess: () => toasts.add(say('{name} is an account of its own again.', { name: merged.username }), 'ok'),
          onError: (error) => toasts.add(translateError(error), 'danger'),
        })
      toasts.add(say('{name} is part of your account now.', { name: merged.username }), 'ok', {
        label: say('Undo'),
        run: undo,
      })
    } else if (linked) toasts.add(say('The wallet is linked to your account.'), 'ok')
    else {
      if (isNew) newcomer.arrive(user.objectId)
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
        {...(chosen && { language: chosen })}
        links={links}
        onNavigate={(href) => void navigate(href)}
        onClose={signInSheet.close}
        onDone={finish}
        onStepUp={stepUp}
      />
      {dialog.open && (
        <Suspense>
          <StepUpDialog {...dialog} onOpenChange={giveUp} />
        </Suspense>
      )}
    </>
  )
}
