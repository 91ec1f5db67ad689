import type { SessionRecord } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import type { Session } from '../Session.ts'

/**
 * The places where the user is signed in.
 *
 * @example
 * const others = (await listSessions(client))?.filter((session) => !session.current)
 */
export function listSessions(
  client: Client,
  callbacks: Callbacks<readonly Session[]> = {},
): Promise<readonly Session[] | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'listing sessions')
    const { results } = await request(client, 'listSessions', {}, callbacks)
    return Object.freeze(results.map(toSession))
  })
}

function toSession(record: SessionRecord): Session {
  const { objectId, createdAt, updatedAt, createdWith, installationId, userAgent, ipAddress } = record
  return Object.freeze({
    objectId,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    createdWith,
    installationId,
    userAgent,
    ipAddress,
    current: record.current === true,
    expiresAt: record.expiresAt && new Date(record.expiresAt.iso),
    lastUsedAt: record.lastUsedAt && new Date(record.lastUsedAt.iso),
  })
}
