import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { refreshSignInMethods } from '../../session/refreshRecord.ts'
import { renewing, takeToken } from '../../session/renewCredential.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { UndoDeadline, Wallet } from '../../values/records.ts'
import type { WalletProof } from '../../wallet/proof/WalletProof.ts'
import type { RestoreWalletInput, UnlinkWalletInput, UpdateWalletInput } from '../inputs.ts'

export async function listLinkedWallets(client: Client, { signal }: ActionOptions = {}): Promise<readonly Wallet[]> {
  requireUser(client, 'listing wallets')
  const { results } = await request(client, 'listWallets', {}, { signal })
  return Object.freeze(results.map(toDated))
}

export async function linkProvenWallet(
  client: Client,
  proof: WalletProof,
  { signal }: ActionOptions = {},
): Promise<Wallet> {
  const { credential } = requireUser(client, 'linking a wallet')
  const link = async () => takeToken(client, credential, await request(client, 'linkWallet', proof, { signal }))
  const wallet = await renewing(client, link)
  const linked = toDated(wallet)
  await refreshSignInMethods(client, signal)
  return linked
}

export async function updateWallet(
  client: Client,
  { objectId, label, primary }: UpdateWalletInput,
  { signal }: ActionOptions = {},
): Promise<Wallet> {
  requireUser(client, 'changing a wallet')
  const wallet = await request(client, 'updateWallet', { objectId, label, primary }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(wallet)
}

export async function unlinkWallet(
  client: Client,
  { objectId }: UnlinkWalletInput,
  { signal }: ActionOptions = {},
): Promise<UndoDeadline> {
  requireUser(client, 'unlinking a wallet')
  const answer = await request(client, 'unlinkWallet', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(answer)
}

export async function restoreWallet(
  client: Client,
  { objectId }: RestoreWalletInput,
  { signal }: ActionOptions = {},
): Promise<Wallet> {
  requireUser(client, 'restoring a wallet')
  const wallet = await request(client, 'restoreWallet', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(wallet)
}
