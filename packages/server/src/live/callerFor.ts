import { CountersignError, errorCodes } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import { findCredential } from '../users/sessions/findSession.ts'
import { holdCredential } from '../users/tokens/holdCredential.ts'
import type { LiveClient, LiveParts } from './Live.ts'
import { frameCodes } from './sockets/frames.ts'

/** Caller that a client acts for: by the token of the request, else by the token of its connection. */
export async function callerFor(parts: LiveParts, client: LiveClient, token: string | undefined): Promise<Caller> {
  if (!client.caller) {
    throw new CountersignError(
      frameCodes.unknownClient,
      'Can not find this client, make sure you connect to server before subscribing',
    )
  }
  // Every change of keys closes the socket; a message processed in the same turn must not pass.
  if (client.caller.keysHold?.() === false) throw retired()
  const given = token ?? client.token
  const ofConnection = client.caller.token
  if (ofConnection) {
    // Judged again: the token of the connection may have ended since. It takes no other along.
    if (token !== undefined)
      throw new CountersignError('OperationForbidden', 'A connection with a token has no sessions.')
    const caller: Caller = { ...client.caller }
    holdCredential(parts.context, caller, await findCredential(parts.context, ofConnection.token))
    return caller
  }
  if (given === undefined) return { ...client.caller }
  try {
    const held = await findCredential(parts.context, given)
    countUser(parts, client, held.userId === '' ? held.objectId : held.userId)
    const caller: Caller = { ...client.caller }
    holdCredential(parts.context, caller, held)
    return caller
  } catch (error) {
    const isOver = error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken
    // The older clients keep the token of their first moment for ever; without one of its own a query is a guest's.
    if (isOver && token === undefined && !client.positions) return { ...client.caller }
    throw error
  }
}

export const retired = () => new CountersignError(frameCodes.wrongKey, 'The key of this connection is no longer valid.')

function countUser({ context, users }: LiveParts, client: LiveClient, userId: string): void {
  if (client.users.has(userId)) return
  const sockets = users.get(userId) ?? new Set()
  const { maxSocketsPerUser } = context.config.liveQuery
  if (sockets.size >= maxSocketsPerUser) {
    throw new CountersignError(
      'RequestLimitExceeded',
      `A user can have at most ${maxSocketsPerUser} sockets. Close one, or raise liveQuery.maxSocketsPerUser.`,
    )
  }
  users.set(userId, sockets.add(client))
  client.users.add(userId)
}
