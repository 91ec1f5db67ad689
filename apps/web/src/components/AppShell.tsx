import { useClient, useSession } from '@countersign/react'
import { Suspense, useEffect } from 'react'
import { Outlet } from 'react-router'
import { cx } from '../lib/cx.ts'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { toasts } from '../lib/toasts.ts'
import { useScrollPlace } from '../lib/useScrollPlace.ts'
import { watchSignOut } from '../lib/watchSignOut.ts'
import { AccountBanner } from './AccountBanner.tsx'
import { CommandHost } from './CommandHost.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'
import { SignInHost } from './SignInHost.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'
import { ToastRegion } from './ToastRegion.tsx'
import { say } from '../lib/say.ts'

/** What stands around every screen. */
export function AppShell() {
  const client = useClient()
  const signedIn = findSessionUser(useSession()) !== undefined

  useEffect(() => watchSignOut(client, () => toasts.add(say('You were signed out.'))), [client])

  useScrollPlace()

  return (
    <div className={cx('flex min-h-dvh flex-col', signedIn && 'max-md:pb-16')}>
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-accent px-4 py-3 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-4"
      >
        {say('Skip to the content')}
      </a>
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
