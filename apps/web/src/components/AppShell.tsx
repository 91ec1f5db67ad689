import { useClient, useSession } from '@countersign/react'
import { Suspense, useEffect } from 'react'
import { Link, Outlet } from 'react-router'
import { cx } from '../lib/cx.ts'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useHashTarget } from '../lib/useHashTarget.ts'
import { useScrollPlace } from '../lib/useScrollPlace.ts'
import { watchReturn } from '../lib/watchReturn.ts'
import { watchSignOut } from '../lib/watchSignOut.ts'
import { AccountBanner } from './AccountBanner.tsx'
import { CommandHost } from './CommandHost.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'
import { SignInHost } from './SignInHost.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'
import { ToastRegion } from './ToastRegion.tsx'

/** What stands around every screen. */
export function AppShell() {
  const client = useClient()
  const signedIn = findSessionUser(useSession()) !== undefined

  useEffect(() => watchSignOut(client, () => toasts.add(say('You were signed out.'))), [client])
  useEffect(() => watchReturn(client), [client])

  useScrollPlace()
  useHashTarget()

  return (
    <div className={cx('flex min-h-dvh flex-col', signedIn && 'max-md:pb-16')}>
      <Link
        to="#main"
        replace
        className="sr-only z-50 rounded-control bg-accent px-4 py-3 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-4"
      >
        {say('Skip to the content')}
      </Link>
      <OfflineBanner />
      <AccountBanner />
      <SiteHeader />
      {/* The footer comes with the screen: under the skeleton it would stand in view and then jump. */}
      <Suspense fallback={<ScreenSkeleton />}>
        <div className="flex flex-1 flex-col">
          <Outlet />
        </div>
        <SiteFooter />
      </Suspense>
      <ToastRegion />
      <SignInHost />
      <CommandHost />
    </div>
  )
}
