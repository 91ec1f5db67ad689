import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { AccessToken, NewAccessToken } from '../../values/records.ts'
import type { CreateAccessTokenInput, RevokeAccessTokenInput } from '../inputs.ts'

export async function listAccessTokens(
  client: Client,
  { signal }: ActionOptions = {},
): Promise<readonly AccessToken[]> {
  requireUser(client, 'listing access tokens')
  const { results } = await request(client, 'listAccessTokens', {}, { signal })
  return Object.freeze(results.map(toDated))
}

export async function createAccessToken(
  client: Client,
  { name, scopes, addresses, expiresIn }: CreateAccessTokenInput,
  { signal }: ActionOptions = {},
): Promise<NewAccessToken> {
  requireUser(client, 'creating an access token')
  const draft = { name, scopes: [...scopes], addresses: addresses && [...addresses], expiresIn }
  const made = await request(client, 'createAccessToken', draft, { signal })
  invalidateReadings(client, 'listAccessTokens', 'listActivity')
  return toDated(made)
}

export async function revokeAccessToken(
  client: Client,
  { objectId }: RevokeAccessTokenInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireUser(client, 'revoking an access token')
  try {
    await request(client, 'revokeAccessToken', { objectId }, { signal })
  } finally {
    // The call fails if the entry is gone already; the list must show that.
    invalidateReadings(client, 'listAccessTokens', 'listActivity')
  }
}
