import type { Client } from '../client/Client.ts'
import { invalidateReadings } from '../readings/readerOf.ts'
import { readRecord } from '../values/decode.ts'
import type { User } from '../values/User.ts'
import { updateCurrent } from './currentSession.ts'
import { request } from './request.ts'

/** Reads the current user from the server; undefined if there is none or the user has changed since. */
export async function refreshRecord(client: Client, signal: AbortSignal | undefined): Promise<User | undefined> {
  const asked = client.internal.current?.record.objectId
  const record = readRecord(await request(client, 'getCurrentUser', {}, { signal }))
  const { current } = client.internal
  if (!record || !current || current.record.objectId !== asked || record.objectId !== asked) return undefined
  // A response that a save has overtaken would revert the save.
  if (String(record.updatedAt) >= String(current.record.updatedAt)) updateCurrent(client, { record })
  return client.internal.current?.user
}

/** Everything of the account that sign-in methods have a part in. */
const accountReadings = [
  'listWallets',
  'listSignInMethods',
  'listPasskeys',
  'listSessions',
  'listActivity',
  'getAccountSecurity',
]

/** The sign-in methods have changed: the user's addresses and whatever is shown are read again. */
export async function refreshSignInMethods(client: Client, signal: AbortSignal | undefined): Promise<void> {
  invalidateReadings(client, ...accountReadings)
  await refreshRecord(client, signal).catch(() => undefined)
}
