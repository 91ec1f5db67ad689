import { useSession, useSignOut } from '@countersign/react'
import { SignInButton } from '@countersign/react/sheet'

export function Account() {
  const session = useSession()
  const { signOut: logOut, status } = useSignOut()
  return (
    <div>
      <SignInButton />
      {session.status === 'authenticated' && (
        <>
          {session.user.username}{' '}
          <button type="button" disabled={status === 'pending'} onClick={() => logOut()}>
            Sign out
          </button>
        </>
      )}
    </div>
  )
}
