import type { AccountSecurity } from '../AccountSecurity.ts'
import { getAccountSecurity } from '../actions/getAccountSecurity.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'

const readings = new WeakMap<Client, Reading<AccountSecurity>>()

/** The one reading of the account's safeguards that all hooks of a client share. */
export function getAccountSecurityReading(client: Client): Reading<AccountSecurity> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading(client, getAccountSecurity, ({ internal }) => internal.current?.record.objectId)
  readings.set(client, made)
  client.internal.readings.set('getAccountSecurity', made)
  return made
}
