import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { loadPasskeys, requirePasskeys } from '../../session/askPasskey.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { Passkey, UndoDeadline } from '../../values/records.ts'
import type { RegisterPasskeyInput, RemovePasskeyInput, RestorePasskeyInput } from '../inputs.ts'

export async function listPasskeys(client: Client, { signal }: ActionOptions = {}): Promise<readonly Passkey[]> {
  requireUser(client, 'listing passkeys')
  const { results } = await request(client, 'listPasskeys', {}, { signal })
  return Object.freeze(results.map(toDated))
}

export async function registerPasskey(
  client: Client,
  { name }: RegisterPasskeyInput = {},
  { signal }: ActionOptions = {},
): Promise<Passkey> {
  requireUser(client, 'adding a passkey')
  requirePasskeys()
  const [{ options }, { createPasskey }] = await Promise.all([
    request(client, 'createPasskeyRegistration', {}, { signal }),
    loadPasskeys(),
  ])
  const credential = await createPasskey(options, signal)
  const record = await request(client, 'registerPasskey', { credential, name }, { signal })
  invalidatePasskeys(client)
  return toDated(record)
}

export async function removePasskey(
  client: Client,
  { objectId }: RemovePasskeyInput,
  { signal }: ActionOptions = {},
): Promise<UndoDeadline> {
  requireUser(client, 'removing a passkey')
  const answer = await request(client, 'removePasskey', { objectId }, { signal })
  invalidatePasskeys(client)
  return toDated(answer)
}

export async function restorePasskey(
  client: Client,
  { objectId }: RestorePasskeyInput,
  { signal }: ActionOptions = {},
): Promise<Passkey> {
  requireUser(client, 'restoring a passkey')
  const passkey = await request(client, 'restorePasskey', { objectId }, { signal })
  invalidatePasskeys(client)
  return toDated(passkey)
}

/** The passkeys have changed: their readings are refreshed. */
function invalidatePasskeys(client: Client): void {
  invalidateReadings(client, 'listPasskeys', 'listSignInMethods', 'listActivity', 'getSecondFactor')
}
