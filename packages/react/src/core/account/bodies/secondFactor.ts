import type { Client } from '../../client/Client.ts'
import { requireString, requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { request } from '../../session/request.ts'
import type { ConfirmTotpInput, SecondFactor, StartedTotp, StartTotpInput, UpdateSecondFactorInput } from '../inputs.ts'

export async function getSecondFactor(client: Client, { signal }: ActionOptions = {}): Promise<SecondFactor> {
  requireUser(client, 'reading the second factor')
  return request(client, 'getSecondFactor', {}, { signal })
}

export async function startTotp(
  client: Client,
  input: StartTotpInput,
  { signal }: ActionOptions = {},
): Promise<StartedTotp> {
  return request(client, 'startTotp', input, { signal })
}

export async function confirmTotp(
  client: Client,
  { code }: ConfirmTotpInput,
  { signal }: ActionOptions = {},
): Promise<SecondFactor> {
  requireUser(client, 'turning the second factor on')
  requireString('code', code)
  return changeSecondFactor(client, request(client, 'confirmTotp', { code }, { signal }))
}

export async function updateSecondFactor(
  client: Client,
  { passkey }: UpdateSecondFactorInput,
  { signal }: ActionOptions = {},
): Promise<SecondFactor> {
  requireUser(client, 'changing the second factor')
  return changeSecondFactor(client, request(client, 'updateSecondFactor', { passkey }, { signal }))
}

export async function removeSecondFactor(client: Client, { signal }: ActionOptions = {}): Promise<SecondFactor> {
  requireUser(client, 'turning the second factor off')
  return changeSecondFactor(client, request(client, 'removeSecondFactor', {}, { signal }))
}

export async function forgetDevices(client: Client, { signal }: ActionOptions = {}): Promise<void> {
  requireUser(client, 'forgetting remembered devices')
  await changeSecondFactor(client, request(client, 'forgetDevices', {}, { signal }))
}

async function changeSecondFactor<Answer>(client: Client, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  invalidateReadings(client, 'getSecondFactor', 'listActivity')
  return answer
}
