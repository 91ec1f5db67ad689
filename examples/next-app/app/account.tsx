'use client'

import { useSession, useSignOut } from '@countersign/react'
import { SignInButton } from '@countersign/react/sheet'
import { useRouter } from 'next/navigation'

/** Rendered on the server with the session that the layout found, and followed in the page from there on. */
export function Account() {
  const session = useSession()
  const { signOut: logOut, status } = useSignOut()
  const router = useRouter()
  // Server components still show the former user.
  const renderAgain = () => router.refresh()
  return (
    <div>
      <SignInButton onDone={renderAgain} />
      {session.status === 'authenticated' && (
        <>
          {session.user.username}{' '}
          <button type="button" disabled={status === 'pending'} onClick={() => logOut({ onSuccess: renderAgain })}>
            Sign out
          </button>
        </>
      )}
    </div>
  )
}
