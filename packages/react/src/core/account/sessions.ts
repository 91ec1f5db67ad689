import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { Session } from '../values/records.ts'
import { runAccountAction } from './runAccountAction.ts'

/**
 * The places where the user is signed in.
 *
 * @example
 * const others = (await listSessions(client))?.filter((session) => !session.current)
 */
export function listSessions(client: Client, options?: ActionOptions): Promise<readonly Session[]> {
  return runAccountAction(client, options, (account, signal) => account.listSessions(client, signal))
}

export type RevokeSessionInput = { objectId: string }

/**
 * Ends one of the user's sessions, at once and everywhere.
 *
 * @example
 * await revokeSession(client, { objectId: session.objectId })
 */
export function revokeSession(client: Client, input: RevokeSessionInput, options?: ActionOptions): Promise<void> {
  return runAccountAction(client, options, (account, signal) => account.revokeSession(client, input, signal))
}

/**
 * Ends all sessions of the user but this one; answers how many.
 *
 * @example
 * const count = await revokeOtherSessions(client)
 */
export function revokeOtherSessions(client: Client, options?: ActionOptions): Promise<number> {
  return runAccountAction(client, options, (account, signal) => account.revokeOtherSessions(client, signal))
}
