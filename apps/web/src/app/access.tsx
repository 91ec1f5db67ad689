import { useSession } from '@countersign/react'
import { useRef } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router'
import { onboarding } from '../account/onboarding.ts'
import { expectedSignOut, findSessionUser } from '../account/session.ts'
import { safeNext, withNext } from '../account/signIn/safeNext.ts'
import { AccountFrame } from './AccountFrame.tsx'

/** The account area, for the signed-in; others go to sign in and come back. */
export function RequireSession() {
  const user = findSessionUser(useSession())
  const wasSignedIn = useRef(user !== undefined)
  if (!user) {
    if (wasSignedIn.current && expectedSignOut.get()) return <Navigate to="/" replace />
    return <ToSignIn />
  }
  return (
    // Drafts of one account are never shown to another, nor saved there.
    <AccountFrame key={user.objectId}>
      <Outlet />
    </AccountFrame>
  )
}

/** Leads to sign-in, and back to this page afterwards. */
export function ToSignIn() {
  const { pathname, search, hash } = useLocation()
  return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search + hash)}`} replace />
}

/** Sign-in and sign-up: a signed-in user continues to the page they were heading for. */
export function RequireVisitor() {
  const user = findSessionUser(useSession())
  const [search] = useSearchParams()
  if (user && onboarding.isExpected()) return <Navigate to={withNext('/welcome', search.get('next'))} replace />
  if (user) return <Navigate to={safeNext(search.get('next'))} replace />
  return <Outlet />
}
