import type { Activity } from '../Activity.ts'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { toDated } from '../wire/toDated.ts'

export type ListActivityInput = {
  /** Only what happened before: the `at` of the last one that was read gives the next page. */
  before?: Date
  limit?: number
  /** Only these kinds, such as `['signIn', 'signUp']`. */
  actions?: readonly string[]
  /** Only what was done from these browsers or programs, by their whole `userAgent`. */
  userAgents?: readonly string[]
}

/**
 * What happened to the user's account, the latest first.
 *
 * @example
 * const latest = (await listActivity(client)) ?? []
 * const older = await listActivity(client, { before: latest.at(-1)?.at })
 */
export function listActivity(
  client: Client,
  input: ListActivityInput = {},
  callbacks: Callbacks<readonly Activity[]> = {},
): Promise<readonly Activity[] | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'listing activity')
    const { before, limit, actions, userAgents } = input
    const asked = {
      before: before?.toISOString(),
      limit,
      ...(actions && { actions: [...actions] }),
      ...(userAgents && { userAgents: [...userAgents] }),
    }
    const { results } = await request(client, 'listActivity', asked, callbacks)
    return Object.freeze(results.map(toDated))
  })
}
