import { useLogOut } from '@countersign/react'
import { useNavigate } from 'react-router'
import { describeError } from './describeError.ts'
import { expectedSignOut } from './expectedSignOut.ts'
import { say } from './say.ts'
import { toasts } from './toasts.ts'

/** Signs out at a person's wish: no "You were signed out", and no way back to a protected page. */
export function useSignOut() {
  const { logOut, status } = useLogOut()
  const navigate = useNavigate()
  const signOut = () => {
    expectedSignOut.begin()
    void logOut({
      onSuccess: () => {
        toasts.add(say('You have signed out.'), 'ok')
        void navigate('/')
      },
      onError: (error) => {
        expectedSignOut.end()
        toasts.add(say('You are still signed in. {reason}', { reason: describeError(error).message }), 'danger')
      },
    })
  }
  return { signOut, pending: status === 'pending' }
}
