import type { Client } from '../../client/Client.ts'
import { requireString } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { refreshRecord } from '../../session/refreshRecord.ts'
import { request } from '../../session/request.ts'
import { toSnapshot } from '../../values/decode.ts'
import type { Mail } from '../../values/records.ts'
import type { RequestEmailVerificationInput, UndoEmailChangeInput, VerifyEmailInput } from '../inputs.ts'

export async function requestEmailVerification(
  client: Client,
  { email }: RequestEmailVerificationInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireString('email', email)
  await request(client, 'requestEmailVerification', { email }, { signal })
  invalidateReadings(client, 'listOutbox')
}

export async function verifyEmail(
  client: Client,
  { token }: VerifyEmailInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireString('token', token)
  await request(client, 'verifyEmail', { token }, { signal })
  if (client.internal.current) await refreshRecord(client, signal).catch(() => undefined)
}

export async function undoEmailChange(
  client: Client,
  { token }: UndoEmailChangeInput,
  { signal }: ActionOptions = {},
): Promise<string> {
  requireString('token', token)
  const { resetToken } = await request(client, 'undoEmailChange', { token }, { signal })
  return resetToken
}

export async function listOutbox(client: Client, { signal }: ActionOptions = {}): Promise<readonly Mail[]> {
  const { results } = await request(client, 'listOutbox', {}, { signal })
  return Object.freeze(results.map((mail) => toSnapshot<Mail>(mail)))
}
