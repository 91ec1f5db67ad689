import { errorCodes, type SessionRecord } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { toCountersignError } from '../../errors/errors.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { request } from '../../session/request.ts'
import { toSnapshot } from '../../values/decode.ts'
import type { Session } from '../../values/records.ts'
import type { RevokeSessionInput } from '../inputs.ts'

export async function listSessions(client: Client, { signal }: ActionOptions = {}): Promise<readonly Session[]> {
  requireUser(client, 'listing sessions')
  const { results } = await request(client, 'listSessions', {}, { signal })
  return Object.freeze(results.map(toSession))
}

function toSession({ user: _, sessionToken: __, ...fields }: SessionRecord): Session {
  return toSnapshot<Session>({ ...fields, current: fields.current === true })
}

export async function revokeSession(
  client: Client,
  { objectId }: RevokeSessionInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireUser(client, 'revoking a session')
  try {
    await request(client, 'revokeSession', { objectId }, { signal })
  } catch (cause) {
    const error = toCountersignError(cause)
    if (error.code !== errorCodes.InvalidSessionToken) throw error
    // Either the named session has ended already, as wanted, or this one has, and then this throws.
    await request(client, 'getCurrentUser', {}, { signal })
  } finally {
    invalidateReadings(client, 'listSessions')
  }
}

export async function revokeOtherSessions(client: Client, { signal }: ActionOptions = {}): Promise<number> {
  requireUser(client, 'revoking sessions')
  const { revoked } = await request(client, 'revokeOtherSessions', {}, { signal })
  invalidateReadings(client, 'listSessions')
  return revoked
}
