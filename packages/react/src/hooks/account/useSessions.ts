'use client'

import { listSessions, revokeOtherSessions, revokeSession } from '../../core/account/sessions.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { Session } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction, usePlainAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const sessionsReading = /*#__PURE__*/ defineAccountReading('listSessions', (client, _: undefined, options) =>
  listSessions(client, options),
)

/**
 * The places where the user is signed in. They are read again after one of them is revoked.
 *
 * @example
 * const sessions = useSessions()
 * if (sessions.status === 'success') return sessions.data.map((session) => <p key={session.objectId}>{session.userAgent}</p>)
 */
export function useSessions<Selected = readonly Session[]>(
  options?: ReadOptions<readonly Session[], Selected>,
): UseAsync<Selected> {
  return useReading(sessionsReading(useClient(), undefined), options)
}

export type UseRevokeSession = ActionHook<'revokeSession', typeof revokeSession>

/**
 * Ends one of the user's sessions.
 *
 * @example
 * const { revokeSession, status } = useRevokeSession()
 * <button disabled={status === 'pending'} onClick={() => revokeSession({ objectId: session.objectId })}>Go</button>
 */
export function useRevokeSession(): UseRevokeSession {
  return useAction('revokeSession', revokeSession)
}

export type UseRevokeOtherSessions = ActionHook<'revokeOtherSessions', typeof revokeOtherSessions>

/**
 * Ends all sessions of the user but this one; the data is how many.
 *
 * @example
 * const { revokeOtherSessions, status } = useRevokeOtherSessions()
 * <button disabled={status === 'pending'} onClick={() => revokeOtherSessions()}>Go</button>
 */
export function useRevokeOtherSessions(): UseRevokeOtherSessions {
  return usePlainAction('revokeOtherSessions', revokeOtherSessions)
}
