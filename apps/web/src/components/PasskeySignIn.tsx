import { isPasskeySupported, useSignInWithPasskey } from '@countersign/react'
import { KeyRound } from 'lucide-react'
import { describeError } from '../lib/describeError.ts'
import { isCancelled } from '../lib/isCancelled.ts'
import { toasts } from '../lib/toasts.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'

/** Signing in without typing anything, where the browser can do it. */
export function PasskeySignIn() {
  const passkey = useSignInWithPasskey()
  if (!isPasskeySupported()) return null
  const signIn = () =>
    void passkey.signInWithPasskey({
      onSuccess: (user) => toasts.add(`Signed in as ${user.username}.`, 'ok'),
      onError: () => {},
    })
  return (
    <div className="mt-5 flex flex-col gap-5">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {passkey.status === 'error' &&
        (isCancelled(passkey.error) ? (
          <Alert title="No passkey was used.">Try again, or sign in with your password.</Alert>
        ) : (
          <Alert tone="danger" title={describeError(passkey.error).message} />
        ))}
      <Button look="secondary" pending={passkey.status === 'pending'} onClick={signIn} className="w-full">
        <KeyRound size={18} aria-hidden="true" />
        Sign in with a passkey
      </Button>
    </div>
  )
}
