import type { Client } from '../../client/Client.ts'
import { requireConnection, requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { createUuid } from '../../platform/platform.ts'
import { refreshSignInMethods } from '../../session/refreshRecord.ts'
import { request } from '../../session/request.ts'
import { connectClient } from '../../setup/connectClient.ts'
import { toDated } from '../../values/decode.ts'
import type { MergePreview, UndoDeadline } from '../../values/records.ts'
import type { WalletProof } from '../../wallet/proof/WalletProof.ts'
import type { MergeAccountsInput, UndoAccountMergeInput } from '../inputs.ts'

export async function previewProvenMerge(
  client: Client,
  proof: WalletProof,
  { signal }: ActionOptions = {},
): Promise<MergePreview> {
  return toDated(await request(client, 'previewMerge', proof, { signal }))
}

/** Another account that somebody signs in to beside the session of the page, which goes on as it is. */
export async function proveOtherAccount(
  client: Client,
  other: Client,
  signIn: (other: Client) => Promise<unknown>,
  { signal }: ActionOptions = {},
): Promise<MergePreview> {
  requireUser(client, 'merging accounts')
  const { appId, serverUrl, javascriptKey } = requireConnection(client)
  const place = { appId, serverUrl, installationId: createUuid(), ...(javascriptKey && { javascriptKey }) }
  connectClient(other, place, undefined)
  await signIn(other)
  const { token } = requireUser(other, 'merging accounts').credential
  try {
    return toDated(await request(client, 'previewMerge', { sessionToken: token ?? '' }, { signal }))
  } catch (error) {
    // The other session would never end otherwise.
    await request(other, 'logOut', {}).catch(() => undefined)
    throw error
  }
}

export async function mergeAccounts(
  client: Client,
  { objectId }: MergeAccountsInput,
  { signal }: ActionOptions = {},
): Promise<UndoDeadline> {
  requireUser(client, 'merging accounts')
  const answer = await request(client, 'merge', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(answer)
}

export async function undoAccountMerge(
  client: Client,
  { objectId }: UndoAccountMergeInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireUser(client, 'undoing a merge')
  await request(client, 'undoMerge', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
}
