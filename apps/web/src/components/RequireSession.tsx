import { useSession } from '@countersign/react'
import { useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { expectedSignOut } from '../lib/expectedSignOut.ts'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { AccountFrame } from './AccountFrame.tsx'

/** The account area, for the signed-in; others go to sign in and come back. */
export function RequireSession() {
  const user = findSessionUser(useSession())
  const { pathname, search, hash } = useLocation()
  const wasSignedIn = useRef(user !== undefined)
  if (!user) {
    if (wasSignedIn.current && expectedSignOut.get()) return <Navigate to="/" replace />
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search + hash)}`} replace />
  }
  return (
    // What was begun for one account is never shown to another, nor saved there.
    <AccountFrame key={user.objectId}>
      <Outlet />
    </AccountFrame>
  )
}
