import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { Activity } from '../values/records.ts'
import { runAccountAction } from './runAccountAction.ts'

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
  options?: ActionOptions,
): Promise<readonly Activity[]> {
  return runAccountAction(client, options, (account, signal) => account.listActivity(client, input, signal))
}
