import { useClient, useSession } from '@countersign/react'
import { type Client, refetchUser } from '@countersign/react/core'
import { WifiOff } from 'lucide-react'
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { Link, Outlet } from 'react-router'
import { findSessionUser, followSession, watchSignOut } from '../account/session.ts'
import { SignInHost } from '../account/signIn/SignInTrigger.tsx'
import { serverAway } from '../config/serverReach.ts'
import { formatMoment } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'
import { cx } from '../ui/cx.ts'
import { ToastRegion } from '../ui/feedback/ToastRegion.tsx'
import { toasts } from '../ui/feedback/toasts.ts'
import { useKeptSince } from '../ui/keptSince.ts'
import { lazyPart } from '../ui/lazyPart.ts'
import { useOnline } from '../ui/useOnline.ts'
import { AccountBanner } from './AccountBanner.tsx'
import { CommandHost } from './commands/CommandHost.tsx'
import { PhoneBar } from './PhoneBar.tsx'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'
import { useHashTarget, useScrollPlace } from './scroll.ts'
import { useIsConsole } from './useIsConsole.ts'

/** For an operator who acts as a user: the console leaves a note of it in the browser. */
const Impersonation =
  'countersign.impersonation' in localStorage &&
  lazyPart(async () => (await import('./ImpersonationBanner.tsx')).ImpersonationBanner)

/** Frame around every screen. */
export function AppShell() {
  const client = useClient()
  const userId = findSessionUser(useSession())?.objectId
  const signedIn = userId !== undefined
  const isConsole = useIsConsole()
  // The console has a menu of its own.
  const hasBar = signedIn && !isConsole

  useEffect(() => watchSignOut(client, () => toasts.add(t('You were signed out.'))), [client])
  useEffect(() => refetchOnFocus(client), [client])
  useEffect(() => (userId === undefined ? undefined : followSession(client, userId)), [client, userId])

  useScrollPlace()
  useHashTarget()

  return (
    <div className={cx('flex min-h-dvh flex-col', hasBar && 'max-md:pb-16')}>
      <Link
        to="#main"
        replace
        className="sr-only z-50 rounded-control bg-accent px-4 py-3 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:start-4 focus:top-4"
      >
        {t('Skip to content')}
      </Link>
      <ConnectionBanner />
      {Impersonation && (
        <Suspense>
          <Impersonation />
        </Suspense>
      )}
      <AccountBanner />
      <SiteHeader />
      {/* The footer comes with the screen: under the skeleton it would be visible and then jump. */}
      <Suspense fallback={<ScreenSkeleton />}>
        <div className="flex flex-1 flex-col">
          <Outlet />
        </div>
        <SiteFooter />
      </Suspense>
      {hasBar && <PhoneBar />}
      <ToastRegion />
      <SignInHost />
      <CommandHost />
    </div>
  )
}

/**
 * Shown while the page stays as it is: offline, or while the server does not respond. Quiet on screens that are kept on
 * this device.
 */
function ConnectionBanner() {
  const online = useOnline()
  const isAway = useSyncExternalStore(serverAway.subscribe, serverAway.get)
  const keptSince = useKeptSince()
  const isOut = !online || isAway
  return (
    <div role="status" className={cx(isOut && keptSince === undefined && 'sticky top-0 z-40')}>
      {isOut && keptSince !== undefined && (
        <p className="px-4 pt-2.5 text-center text-sm text-muted">
          {t('Offline, as of {time}', { time: formatMoment(new Date(keptSince)) })}
        </p>
      )}
      {isOut && keptSince === undefined && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2.5 text-sm font-medium text-warn">
          <WifiOff size={17} aria-hidden="true" />
          {online
            ? t('The server isn’t responding. Data may be out of date. Trying again…')
            : t('You’re offline. Data may be out of date, and changes can’t be saved.')}
        </p>
      )}
    </div>
  )
}

const pause = 30_000

/**
 * Checks the session when a person returns to the page: it may have ended elsewhere, or the user may have changed.
 * Returns its own unsubscribe.
 */
function refetchOnFocus(client: Client): () => void {
  let asked = Date.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || Math.abs(Date.now() - asked) < pause) return
    if (client.session.get().status !== 'authenticated') return
    asked = Date.now()
    void refetchUser(client, { onError: () => {} })
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
