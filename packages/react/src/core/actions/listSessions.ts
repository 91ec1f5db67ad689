import type { SessionRecord } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import type { Session } from '../Session.ts'
import { toSnapshot } from '../wire/toSnapshot.ts'

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

function toSession({ user: _, sessionToken: __, ...fields }: SessionRecord): Session {
  return toSnapshot<Session>({ ...fields, current: fields.current === true })
}
