import { useSession } from '@countersign/react'
import { Navigate, Outlet, useSearchParams } from 'react-router'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { newcomer } from '../lib/newcomer.ts'
import { safeNext } from '../lib/safeNext.ts'
import { withNext } from '../lib/withNext.ts'

/** Sign-in and sign-up: whoever is signed in, or just became so, goes on to where they were heading. */
export function RequireVisitor() {
  const user = findSessionUser(useSession())
  const [search] = useSearchParams()
  if (user && newcomer.isExpected()) return <Navigate to={withNext('/welcome', search.get('next'))} replace />
  if (user) return <Navigate to={safeNext(search.get('next'))} replace />
  return <Outlet />
}
