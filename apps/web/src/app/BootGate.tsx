import { useClient, useInitialization, useSession } from '@countersign/react'
import { Unplug } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { findSessionUser } from '../account/session.ts'
import { useConfigState } from '../config/config.ts'
import { isLanguage, language } from '../i18n/languages.ts'
import { i18n, t, translateError } from '../i18n/translate.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'
import { Logo } from '../ui/Logo.tsx'
import { startSession } from './startSession.ts'

/** Draws nothing that could turn out wrong: first the configuration and the session are known. */
export function BootGate({ children }: { children: ReactNode }) {
  const client = useClient()
  const config = useConfigState()
  const initialization = useInitialization()
  const session = useSession()
  const spoken = useSyncExternalStore(i18n.subscribe, i18n.get)
  const ofAccount = findSessionUser(session)?.language
  useEffect(() => {
    if (isLanguage(ofAccount)) language.set(ofAccount)
  }, [ofAccount])
  const retry = () => void startSession(client)
  if (config.status === 'error') return <BootFailure reason={config.reason} onRetry={retry} />
  if (initialization.status === 'error')
    return <BootFailure reason={translateError(initialization.error)} onRetry={retry} />
  if (config.status === 'pending' || session.status === 'undefined') return <BootSkeleton />
  // Another language renders everything again.
  return <Fragment key={spoken.language}>{children}</Fragment>
}

/** Shown only when the start takes long enough to be noticed. */
function BootSkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-6xl animate-wait px-4 py-3 sm:px-6 sm:py-4">
      <span className="sr-only">{t('Loading…')}</span>
      <div className="flex min-h-11 items-center justify-between">
        <span className="flex items-center gap-2.5">
          <Logo />
          <Skeleton className="h-5 w-28" />
        </span>
        <Skeleton className="h-10 w-28 rounded-full" />
      </div>
      <div className="mx-auto mt-16 flex max-w-2xl flex-col gap-4 sm:mt-24">
        <Skeleton className="h-9 w-2/3" />
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="mt-4 h-40 w-full rounded-card" />
      </div>
    </div>
  )
}

/** The application could not start: why, what to check, and again. */
export function BootFailure({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  const retry = useEffectEvent(onRetry)
  // Retries when the connection is back.
  useEffect(() => {
    const again = () => retry()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-lg place-items-center px-4 py-10">
      <title>{t('Can’t start')}</title>
      <Card className="w-full">
        <span className="grid size-12 place-items-center rounded-full bg-warn-soft text-warn">
          <Unplug size={22} aria-hidden="true" />
        </span>
        <h1 className="mt-5 text-2xl">{t('This page can’t start yet')}</h1>
        <p role="alert" className="mt-2 text-muted">
          {reason}
        </p>
        <h2 className="mt-6 text-sm">{t('What to check')}</h2>
        <ul className="mt-2 list-disc space-y-1.5 ps-5 text-sm text-muted marker:text-edge">
          <li>{t('Your connection: does another page load?')}</li>
          <li>{t('If you run this server: is it running, and does /ready respond?')}</li>
          <li>{t('If the server is behind a proxy: does the proxy forward /config.json and the API?')}</li>
        </ul>
        <Button onClick={onRetry} className="mt-7 w-full sm:w-auto">
          {t('Try again')}
        </Button>
      </Card>
    </main>
  )
}
