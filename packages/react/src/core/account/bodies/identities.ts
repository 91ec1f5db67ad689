import type { ProviderRecord } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { askFarcaster } from '../../session/askFarcaster.ts'
import type { FarcasterInput } from '../../session/FarcasterInput.ts'
import { loadProviderWindow } from '../../session/loadProviderWindow.ts'
import type { ProviderInput } from '../../session/ProviderInput.ts'
import { refreshSignInMethods } from '../../session/refreshRecord.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { Identity, UndoDeadline } from '../../values/records.ts'
import type { IdentityInput } from '../inputs.ts'

export async function listProviders(
  client: Client,
  { signal }: ActionOptions = {},
): Promise<readonly ProviderRecord[]> {
  const { results } = await request(client, 'listProviders', {}, { signal })
  return Object.freeze(results)
}

export async function linkByProvider(
  client: Client,
  input: ProviderInput,
  popup: Window | undefined,
  { signal }: ActionOptions = {},
): Promise<Identity> {
  requireUser(client, 'adding a provider')
  const { askProvider } = await loadProviderWindow()
  const response = await askProvider(client, 'link', input, popup, signal)
  const identity = toDated(await request(client, 'linkProvider', response, { signal })) as Identity
  await refreshSignInMethods(client, signal)
  return identity
}

export async function linkFarcaster(
  client: Client,
  input: FarcasterInput,
  { signal }: ActionOptions = {},
): Promise<Identity> {
  requireUser(client, 'adding Farcaster')
  const proof = await askFarcaster(client, 'link', input, signal)
  const identity = toDated(await request(client, 'linkFarcaster', proof, { signal })) as Identity
  await refreshSignInMethods(client, signal)
  return identity
}

export async function unlinkIdentity(
  client: Client,
  { provider }: IdentityInput,
  { signal }: ActionOptions = {},
): Promise<UndoDeadline> {
  requireUser(client, 'removing a provider')
  const answer = await request(client, 'unlinkIdentity', { provider }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(answer)
}

export async function restoreIdentity(
  client: Client,
  { provider }: IdentityInput,
  { signal }: ActionOptions = {},
): Promise<Identity> {
  requireUser(client, 'restoring a provider')
  const identity = toDated(await request(client, 'restoreIdentity', { provider }, { signal })) as Identity
  await refreshSignInMethods(client, signal)
  return identity
}
