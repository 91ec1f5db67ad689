import { type User, useSignOut as useSessionSignOut } from '@countersign/react'
import { useNavigate } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { expectedSignOut } from '../session.ts'

/** Signs out at a person's wish: no "You were signed out", and no way back to a protected page. */
export function useSignOut() {
  const { signOut: endSession, status } = useSessionSignOut()
  const navigate = useNavigate()
  const signOut = () => {
    expectedSignOut.begin()
    void endSession({
      onSuccess: () => {
        forgetTransfers()
        toasts.add(t('You’re signed out.'), 'ok')
        void navigate('/')
      },
      onError: (error) => {
        expectedSignOut.end()
        toasts.add(t('You’re still signed in. {reason}', { reason: describeError(error).message }), 'danger')
      },
    })
  }
  return { signOut, pending: status === 'pending' }
}

/** Deletes the sent transfers of this browser (`sentTransfers`, whose code only some screens load). */
function forgetTransfers(): void {
  try {
    localStorage.removeItem('Countersign/sent')
  } catch {
    // Nothing is stored if storage is refused.
  }
}

/** Shows the signed-in user, for people who meant to use another account. */
export function toastSignedIn({ username }: User, signOut: () => void, isNew = false): void {
  const text = isNew
    ? t('Welcome! You’re signed in as {name}.', { name: username })
    : t('Signed in as {name}.', { name: username })
  toasts.add(text, 'ok', { label: t('Sign out'), run: signOut })
}
