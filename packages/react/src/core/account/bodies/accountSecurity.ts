import type { AccountSecurity as AccountSecurityRecord } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { request } from '../../session/request.ts'
import type { AccountSecurity } from '../../values/records.ts'
import type { UpdateAccountSecurityInput } from '../inputs.ts'

export async function getAccountSecurity(client: Client, { signal }: ActionOptions = {}): Promise<AccountSecurity> {
  requireUser(client, 'reading the security settings')
  return readAccountSecurity(await request(client, 'getAccountSecurity', {}, { signal }))
}

export async function updateAccountSecurity(
  client: Client,
  { signInAlerts }: UpdateAccountSecurityInput,
  { signal }: ActionOptions = {},
): Promise<AccountSecurity> {
  requireUser(client, 'changing the security settings')
  const answer = await request(client, 'updateAccountSecurity', { signInAlerts }, { signal })
  invalidateReadings(client, 'getAccountSecurity', 'listActivity')
  return readAccountSecurity(answer)
}

function readAccountSecurity({ recoveryCodes, signInAlerts }: AccountSecurityRecord): AccountSecurity {
  const { createdAt, lastUsedAt, ...counts } = recoveryCodes
  const times = {
    ...(createdAt && { createdAt: new Date(createdAt) }),
    ...(lastUsedAt && { lastUsedAt: new Date(lastUsedAt) }),
  }
  return { recoveryCodes: { ...counts, ...times }, signInAlerts }
}

export async function createRecoveryCodes(client: Client, { signal }: ActionOptions = {}): Promise<readonly string[]> {
  requireUser(client, 'generating recovery codes')
  const { codes } = await request(client, 'createRecoveryCodes', {}, { signal })
  invalidateReadings(client, 'getAccountSecurity', 'listActivity')
  return Object.freeze(codes)
}
