import { CountersignError, errorCodes } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import { findSession } from '../users/findSession.ts'
import type { LiveClient } from './LiveClient.ts'
import type { LiveParts } from './LiveParts.ts'
import { frameCodes } from './sockets/readFrame.ts'

/** On whose behalf a client asks: by the token that it sends along, else by the one that it came with. */
export async function callerFor(parts: LiveParts, client: LiveClient, token: string | undefined): Promise<Caller> {
  if (!client.caller) {
    throw new CountersignError(
      frameCodes.unknownClient,
      'Can not find this client, make sure you connect to server before subscribing',
    )
  }
  const given = token ?? client.token
  if (given === undefined) return { ...client.caller }
  try {
    const session = await findSession(parts.context, given)
    countUser(parts, client, session.userId)
    return { ...client.caller, session }
  } catch (error) {
    const isOver = error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken
    // The older clients keep the token of their first moment for ever; without one of its own a question is a guest's.
    if (isOver && token === undefined && !client.positions) return { ...client.caller }
    throw error
  }
}

function countUser({ context, users }: LiveParts, client: LiveClient, userId: string): void {
  if (client.users.has(userId)) return
  const sockets = users.get(userId) ?? new Set()
  const { maxSocketsPerUser } = context.config.liveQuery
  if (sockets.size >= maxSocketsPerUser) {
    throw new CountersignError(
      'RequestLimitExceeded',
      `A user may have ${maxSocketsPerUser} sockets at most. Close one, or raise liveQuery.maxSocketsPerUser.`,
    )
  }
  users.set(userId, sockets.add(client))
  client.users.add(userId)
}
