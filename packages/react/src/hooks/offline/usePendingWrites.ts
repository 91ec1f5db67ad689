'use client'

import { useMemo, useSyncExternalStore } from 'react'
import { offlineOf } from '../../core/offline/offline.ts'
import type { PendingWrites } from '../../core/offline/QueuedWrite.ts'
import { useClient } from '../client/useClient.ts'

export type UsePendingWrites = PendingWrites & {
  /** Sends a refused write again, with those that build on it. */
  readonly retry: (key: string) => Promise<void>
  /** Removes a write. What builds on a document that it would have made goes with it. */
  readonly discard: (key: string) => Promise<void>
}

/**
 * Writes that wait for the server, and those that it refused.
 *
 * @example
 * import { usePendingWrites } from '@countersign/react/offline'
 *
 * const { failed, retry } = usePendingWrites()
 * return failed.map(({ key, error }) => <button key={key} onClick={() => retry(key)}>{error?.message}</button>)
 */
export function usePendingWrites(): UsePendingWrites {
  const client = useClient()
  const { pending, retry, discard } = offlineOf(client)
  const writes = useSyncExternalStore(pending.subscribe, pending.get, pending.get)
  return useMemo(() => ({ ...writes, retry, discard }), [writes, retry, discard])
}
