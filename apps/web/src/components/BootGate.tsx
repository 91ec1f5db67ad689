import { useClient, useInitialization, useSession } from '@countersign/react'
import type { ReactNode } from 'react'
import { startSession } from '../lib/startSession.ts'
import { useConfigState } from '../lib/useConfigState.ts'
import { BootFailure } from './BootFailure.tsx'
import { BootSkeleton } from './BootSkeleton.tsx'

/** Draws nothing that could turn out wrong: first the configuration and the session are known. */
export function BootGate({ children }: { children: ReactNode }) {
  const client = useClient()
  const config = useConfigState()
  const initialization = useInitialization()
  const session = useSession()
  const retry = () => void startSession(client)
  if (config.status === 'error') return <BootFailure reason={config.reason} onRetry={retry} />
  if (initialization.status === 'error') return <BootFailure reason={initialization.error.message} onRetry={retry} />
  if (config.status === 'pending' || session.status === 'undefined') return <BootSkeleton />
  return children
}
