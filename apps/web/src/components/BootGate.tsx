import { useClient, useInitialization, useSession } from '@countersign/react'
import { Fragment, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { language } from '../lib/language.ts'
import { isLanguage } from '../lib/languages.ts'
import { speech } from '../lib/speech.ts'
import { startSession } from '../lib/startSession.ts'
import { translateError } from '../lib/translateError.ts'
import { useConfigState } from '../lib/useConfigState.ts'
import { BootFailure } from './BootFailure.tsx'
import { BootSkeleton } from './BootSkeleton.tsx'

/** Draws nothing that could turn out wrong: first the configuration and the session are known. */
export function BootGate({ children }: { children: ReactNode }) {
  const client = useClient()
  const config = useConfigState()
  const initialization = useInitialization()
  const session = useSession()
  const spoken = useSyncExternalStore(speech.subscribe, speech.get)
  const ofAccount = findSessionUser(session)?.language
  useEffect(() => {
    if (isLanguage(ofAccount)) language.set(ofAccount)
  }, [ofAccount])
  const retry = () => void startSession(client)
  if (config.status === 'error') return <BootFailure reason={config.reason} onRetry={retry} />
  if (initialization.status === 'error')
    return <BootFailure reason={translateError(initialization.error)} onRetry={retry} />
  if (config.status === 'pending' || session.status === 'undefined') return <BootSkeleton />
  // Another language draws everything anew.
  return <Fragment key={spoken.language}>{children}</Fragment>
}
