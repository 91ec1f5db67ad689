import { errorCodes, type SessionRecord } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { missingUser, requireConnection, requireString, requireUser } from '../client/guards.ts'
import { toCountersignError } from '../errors/errors.ts'
import { createUuid } from '../http/sendRequest.ts'
import { loadPasskeys } from '../platform/loadParts.ts'
import { invalidateReadings } from '../readings/readerOf.ts'
import { requirePasskeys } from '../session/askPasskey.ts'
import { closeSession, renewCredential, takeToken } from '../session/currentSession.ts'
import { refreshRecord, refreshSignInMethods } from '../session/refreshRecord.ts'
import { request } from '../session/request.ts'
import { connectClient } from '../setup/connectClient.ts'
import { toDated, toSnapshot } from '../values/decode.ts'
import {
  type AccountSecurity,
  type Activity,
  type Mail,
  type MergePreview,
  type Passkey,
  readAccountSecurity,
  type Session,
  type UndoDeadline,
  type Wallet,
} from '../values/records.ts'
import type { User } from '../values/User.ts'
import type { WalletProof } from '../wallet/proof/openPrompt.ts'
import type { AccountExport } from './account.ts'
import type { UpdateAccountSecurityInput } from './accountSecurity.ts'
import type { ListActivityInput } from './activity.ts'
import type { UpdateWalletInput } from './linkedWallets.ts'
import type { RegisterPasskeyInput } from './passkeys.ts'
import type { ChangePasswordInput, ResetPasswordInput } from './passwords.ts'
import type {
  ConfirmTotpInput,
  SecondFactor,
  StartedTotp,
  StartTotpInput,
  UpdateSecondFactorInput,
} from './secondFactor.ts'

// What the actions in `actions/account` do, in the order of its files. Pages that show no account fetch none of it.

type Signal = AbortSignal | undefined
type ById = { readonly objectId: string }

export async function refetchUser(client: Client, signal: Signal): Promise<User> {
  requireUser(client, 'refetching')
  const user = await refreshRecord(client, signal)
  if (!user) throw missingUser('refetch')
  return user
}

export function deleteUser(client: Client, signal: Signal): Promise<void> {
  const { objectId } = requireUser(client, 'deleting the account').record
  return client.internal.queue.run(async () => {
    await request(client, 'deleteUser', { objectId }, { signal })
    const { current } = client.internal
    if (current?.record.objectId === objectId) closeSession(client, requireConnection(client), current)
  })
}

export async function exportAccount(client: Client, signal: Signal): Promise<AccountExport> {
  requireUser(client, 'exporting the account')
  const answer: AccountExport = await request(client, 'exportAccount', {}, { signal })
  invalidateReadings(client, 'listActivity')
  return answer
}

export async function getAccountSecurity(client: Client, signal: Signal): Promise<AccountSecurity> {
  requireUser(client, 'reading the safeguards of the account')
  return readAccountSecurity(await request(client, 'getAccountSecurity', {}, { signal }))
}

export async function updateAccountSecurity(
  client: Client,
  { signInAlerts }: UpdateAccountSecurityInput,
  signal: Signal,
): Promise<AccountSecurity> {
  requireUser(client, 'changing the safeguards of the account')
  const answer = await request(client, 'updateAccountSecurity', { signInAlerts }, { signal })
  invalidateReadings(client, 'getAccountSecurity', 'listActivity')
  return readAccountSecurity(answer)
}

export async function listActivity(
  client: Client,
  { before, limit, actions, userAgents }: ListActivityInput,
  signal: Signal,
): Promise<readonly Activity[]> {
  requireUser(client, 'listing activity')
  const asked = {
    before: before?.toISOString(),
    limit,
    ...(actions && { actions: [...actions] }),
    ...(userAgents && { userAgents: [...userAgents] }),
  }
  const { results } = await request(client, 'listActivity', asked, { signal })
  return Object.freeze(results.map(toDated))
}

export async function requestEmailVerification(client: Client, email: string, signal: Signal): Promise<void> {
  requireString('email', email)
  await request(client, 'requestEmailVerification', { email }, { signal })
}

export async function verifyEmail(client: Client, token: string, signal: Signal): Promise<void> {
  requireString('token', token)
  await request(client, 'verifyEmail', { token }, { signal })
  if (client.internal.current) await refreshRecord(client, signal).catch(() => undefined)
}

export async function undoEmailChange(client: Client, token: string, signal: Signal): Promise<string> {
  requireString('token', token)
  const { resetToken } = await request(client, 'undoEmailChange', { token }, { signal })
  return resetToken
}

export async function listOutbox(client: Client, signal: Signal): Promise<readonly Mail[]> {
  const { results } = await request(client, 'listOutbox', {}, { signal })
  return Object.freeze(results.map((mail) => toSnapshot<Mail>(mail)))
}

export async function listLinkedWallets(client: Client, signal: Signal): Promise<readonly Wallet[]> {
  requireUser(client, 'listing wallets')
  const { results } = await request(client, 'listWallets', {}, { signal })
  return Object.freeze(results.map(toDated))
}

export async function linkWallet(client: Client, proof: WalletProof, signal: Signal): Promise<Wallet> {
  const { credential } = requireUser(client, 'linking a wallet')
  const wallet = await request(client, 'linkWallet', proof, { signal })
  const linked = toDated(takeToken(client, credential, wallet))
  await refreshSignInMethods(client, signal)
  return linked
}

export async function updateWallet(
  client: Client,
  { objectId, label, primary }: UpdateWalletInput,
  signal: Signal,
): Promise<Wallet> {
  requireUser(client, 'changing a wallet')
  const wallet = await request(client, 'updateWallet', { objectId, label, primary }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(wallet)
}

export async function unlinkWallet(client: Client, { objectId }: ById, signal: Signal): Promise<UndoDeadline> {
  requireUser(client, 'unlinking a wallet')
  const answer = await request(client, 'unlinkWallet', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(answer)
}

export async function restoreWallet(client: Client, { objectId }: ById, signal: Signal): Promise<Wallet> {
  requireUser(client, 'restoring a wallet')
  const wallet = await request(client, 'restoreWallet', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(wallet)
}

export async function previewAccountMerge(client: Client, proof: WalletProof, signal: Signal): Promise<MergePreview> {
  return toDated(await request(client, 'previewMerge', proof, { signal }))
}

/** Another account that somebody signs in to beside the session of the page, which goes on as it is. */
export async function proveOtherAccount(
  client: Client,
  other: Client,
  signIn: (other: Client) => Promise<unknown>,
  signal: Signal,
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
    // Nobody would end it otherwise.
    await request(other, 'logOut', {}).catch(() => undefined)
    throw error
  }
}

export async function mergeAccounts(client: Client, { objectId }: ById, signal: Signal): Promise<UndoDeadline> {
  requireUser(client, 'merging accounts')
  const answer = await request(client, 'merge', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(answer)
}

export async function undoAccountMerge(client: Client, { objectId }: ById, signal: Signal): Promise<void> {
  requireUser(client, 'undoing a merge')
  await request(client, 'undoMerge', { objectId }, { signal })
  await refreshSignInMethods(client, signal)
}

export async function listPasskeys(client: Client, signal: Signal): Promise<readonly Passkey[]> {
  requireUser(client, 'listing passkeys')
  const { results } = await request(client, 'listPasskeys', {}, { signal })
  return Object.freeze(results.map(toDated))
}

export async function registerPasskey(
  client: Client,
  { name }: RegisterPasskeyInput,
  signal: Signal,
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

export async function removePasskey(client: Client, { objectId }: ById, signal: Signal): Promise<UndoDeadline> {
  requireUser(client, 'removing a passkey')
  const answer = await request(client, 'removePasskey', { objectId }, { signal })
  invalidatePasskeys(client)
  return toDated(answer)
}

export async function restorePasskey(client: Client, { objectId }: ById, signal: Signal): Promise<Passkey> {
  requireUser(client, 'restoring a passkey')
  const passkey = await request(client, 'restorePasskey', { objectId }, { signal })
  invalidatePasskeys(client)
  return toDated(passkey)
}

/** The passkeys have changed: what shows them is read again. */
function invalidatePasskeys(client: Client): void {
  invalidateReadings(client, 'listPasskeys', 'listSignInMethods', 'listActivity', 'getSecondFactor')
}

export async function changePassword(
  client: Client,
  { currentPassword, newPassword }: ChangePasswordInput,
  signal: Signal,
): Promise<void> {
  requireUser(client, 'changing the password')
  if (currentPassword !== undefined) requireString('currentPassword', currentPassword)
  requireString('newPassword', newPassword)
  return client.internal.queue.run(async () => {
    const { record } = requireUser(client, 'changing the password')
    const answer = await request(client, 'changePassword', { currentPassword, newPassword }, { signal })
    if (client.internal.current?.record.objectId !== record.objectId) return
    renewCredential(client, requireConnection(client), answer.sessionToken)
    // The first password of an account is another sign-in method.
    invalidateReadings(client, 'listSessions', 'listSignInMethods')
  })
}

export async function requestPasswordReset(client: Client, email: string, signal: Signal): Promise<void> {
  requireString('email', email)
  await request(client, 'requestPasswordReset', { email }, { signal })
}

export async function resetPassword(
  client: Client,
  { token, password }: ResetPasswordInput,
  signal: Signal,
): Promise<void> {
  requireString('token', token)
  requireString('password', password)
  await request(client, 'resetPassword', { token, password }, { signal })
}

export async function getSecondFactor(client: Client, signal: Signal): Promise<SecondFactor> {
  requireUser(client, 'reading the second factor')
  return request(client, 'getSecondFactor', {}, { signal })
}

export async function startTotp(client: Client, input: StartTotpInput, signal: Signal): Promise<StartedTotp> {
  return request(client, 'startTotp', input, { signal })
}

export async function confirmTotp(client: Client, { code }: ConfirmTotpInput, signal: Signal): Promise<SecondFactor> {
  requireUser(client, 'turning the second factor on')
  requireString('code', code)
  return changeSecondFactor(client, request(client, 'confirmTotp', { code }, { signal }))
}

export async function updateSecondFactor(
  client: Client,
  { passkey }: UpdateSecondFactorInput,
  signal: Signal,
): Promise<SecondFactor> {
  requireUser(client, 'changing the second factor')
  return changeSecondFactor(client, request(client, 'updateSecondFactor', { passkey }, { signal }))
}

export async function removeSecondFactor(client: Client, signal: Signal): Promise<SecondFactor> {
  requireUser(client, 'turning the second factor off')
  return changeSecondFactor(client, request(client, 'removeSecondFactor', {}, { signal }))
}

export async function forgetDevices(client: Client, signal: Signal): Promise<void> {
  requireUser(client, 'forgetting remembered devices')
  await changeSecondFactor(client, request(client, 'forgetDevices', {}, { signal }))
}

async function changeSecondFactor<Answer>(client: Client, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  invalidateReadings(client, 'getSecondFactor', 'listActivity')
  return answer
}

export async function listSessions(client: Client, signal: Signal): Promise<readonly Session[]> {
  requireUser(client, 'listing sessions')
  const { results } = await request(client, 'listSessions', {}, { signal })
  return Object.freeze(results.map(toSession))
}

function toSession({ user: _, sessionToken: __, ...fields }: SessionRecord): Session {
  return toSnapshot<Session>({ ...fields, current: fields.current === true })
}

export async function revokeSession(client: Client, { objectId }: ById, signal: Signal): Promise<void> {
  requireUser(client, 'revoking a session')
  try {
    await request(client, 'revokeSession', { objectId }, { signal })
  } catch (cause) {
    const error = toCountersignError(cause)
    if (error.code !== errorCodes.InvalidSessionToken) throw error
    // Either the named session is gone already, which is what was wanted, or this one is, and then this throws.
    await request(client, 'getCurrentUser', {}, { signal })
  } finally {
    invalidateReadings(client, 'listSessions')
  }
}

export async function revokeOtherSessions(client: Client, signal: Signal): Promise<number> {
  requireUser(client, 'revoking sessions')
  const { revoked } = await request(client, 'revokeOtherSessions', {}, { signal })
  invalidateReadings(client, 'listSessions')
  return revoked
}
