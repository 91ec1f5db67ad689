import { isPasskeySupported, useSignInWithPasskey } from '@countersign/react'
import { KeyRound } from 'lucide-react'
import { describeDeletion } from '../lib/describeDeletion.ts'
import { describeError } from '../lib/describeError.ts'
import { isCancelled } from '../lib/isCancelled.ts'
import { say } from '../lib/say.ts'
import { toastSignedIn } from '../lib/toastSignedIn.ts'
import { useSignOut } from '../lib/useSignOut.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'

/** Signing in without typing anything, where the browser can do it. */
export function PasskeySignIn() {
  const passkey = useSignInWithPasskey()
  const { signOut } = useSignOut()
  if (!isPasskeySupported()) return null
  const signIn = (restoreAccount = false) =>
    void passkey.signInWithPasskey({
      restoreAccount,
      onSuccess: (user) => toastSignedIn(user, signOut),
      onError: () => {},
    })
  const deletion = passkey.status === 'error' ? describeDeletion(passkey.error) : undefined
  return (
    <>
      {passkey.status === 'error' &&
        (isCancelled(passkey.error) ? (
          <Alert title={say('No passkey was used.')}>{say('Try again, or sign in with your password.')}</Alert>
        ) : deletion ? (
          <Alert
            tone="danger"
            title={deletion}
            actions={
              <Button look="secondary" onClick={() => signIn(true)}>
                {say('Restore and sign in')}
              </Button>
            }
          />
        ) : (
          <Alert tone="danger" title={describeError(passkey.error).message} />
        ))}
      <Button look="secondary" pending={passkey.status === 'pending'} onClick={() => signIn()} className="w-full">
        <KeyRound size={18} aria-hidden="true" />
        {say('Sign in with a passkey')}
      </Button>
    </>
  )
}
