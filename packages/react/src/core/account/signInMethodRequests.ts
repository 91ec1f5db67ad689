import type { EndpointTypes, ProviderRecord } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireString, requireUser } from '../client/guards.ts'
import { loadProviderWindow } from '../platform/loadParts.ts'
import { invalidateReadings } from '../readings/readerOf.ts'
import { askPasskey } from '../session/askPasskey.ts'
import { takeToken } from '../session/currentSession.ts'
import type { FarcasterInput } from '../session/farcaster.ts'
import { signByRelay } from '../session/farcasterRelay.ts'
import type { IdentityInput, ProviderInput } from '../session/providers.ts'
import { refreshSignInMethods } from '../session/refreshRecord.ts'
import { request } from '../session/request.ts'
import type { RequestEmailCodeInput, RequestedEmailCode } from '../session/signInWithEmailCode.ts'
import { toDated } from '../values/decode.ts'
import type { Identity, SignInMethods, UndoDeadline } from '../values/records.ts'
import type { WalletProof } from '../wallet/proof/openPrompt.ts'
import type { Proof, Reauthentication, SecondCode } from './reauthenticate.ts'

// What the actions in `actions/signIn` do for a user who is signed in. Pages that show no account fetch none of it.

type Signal = AbortSignal | undefined

export async function linkProvider(
  client: Client,
  input: ProviderInput,
  popup: Window | undefined,
  signal: Signal,
): Promise<Identity> {
  requireUser(client, 'adding a provider')
  const { askProvider } = await loadProviderWindow()
  const response = await askProvider(client, 'link', input, popup, signal)
  const identity = toDated(await request(client, 'linkProvider', response, { signal })) as Identity
  await refreshSignInMethods(client, signal)
  return identity
}

/** A challenge of the server, as the person's Farcaster app signed it. */
export async function askFarcaster(
  client: Client,
  purpose: 'signIn' | 'link' | 'reauthenticate',
  input: FarcasterInput,
  signal: Signal,
): Promise<{ message: string; signature: string }> {
  const challenge = await request(client, 'createFarcasterChallenge', { purpose }, { signal })
  const signed = input.sign
    ? input.sign({ ...challenge, acceptAuthAddress: false })
    : signByRelay(client, challenge, input.onUrl, signal)
  const { message, signature } = await signed
  requireString('message', message)
  requireString('signature', signature)
  return { message, signature }
}

export async function linkFarcaster(client: Client, input: FarcasterInput, signal: Signal): Promise<Identity> {
  requireUser(client, 'adding Farcaster')
  const proof = await askFarcaster(client, 'link', input, signal)
  const identity = toDated(await request(client, 'linkFarcaster', proof, { signal })) as Identity
  await refreshSignInMethods(client, signal)
  return identity
}

export async function listProviders(client: Client, signal: Signal): Promise<readonly ProviderRecord[]> {
  const { results } = await request(client, 'listProviders', {}, { signal })
  return Object.freeze(results)
}

export async function unlinkIdentity(
  client: Client,
  { provider }: IdentityInput,
  signal: Signal,
): Promise<UndoDeadline> {
  requireUser(client, 'removing a provider')
  const answer = await request(client, 'unlinkIdentity', { provider }, { signal })
  await refreshSignInMethods(client, signal)
  return toDated(answer)
}

export async function restoreIdentity(client: Client, { provider }: IdentityInput, signal: Signal): Promise<Identity> {
  requireUser(client, 'restoring a provider')
  const identity = toDated(await request(client, 'restoreIdentity', { provider }, { signal })) as Identity
  await refreshSignInMethods(client, signal)
  return identity
}

export async function reauthenticate(
  client: Client,
  input: SecondCode & Proof,
  popup: Window | undefined,
  signal: Signal,
): Promise<Reauthentication> {
  const confirm = createConfirm(client, input, signal)
  if ('password' in input) {
    const { password } = input
    requireString('password', password)
    return confirm({ password })
  }
  if ('emailCode' in input) return confirm({ emailCode: input.emailCode })
  if ('passkey' in input) return confirm(await askPasskey(client, 'reauthenticate', signal))
  if ('credential' in input) return confirm({ credential: input.credential })
  if ('farcaster' in input) {
    const proof = await askFarcaster(client, 'reauthenticate', input.farcaster, signal)
    const [, id = ''] = /^- farcaster:\/\/fid\/(\d+)$/m.exec(proof.message) ?? []
    return confirm({ authData: { farcaster: { id, ...proof } } })
  }
  const { askProvider } = await loadProviderWindow()
  return confirm({ provider: await askProvider(client, 'reauthenticate', input, popup, signal) })
}

export function reauthenticateWithWallet(
  client: Client,
  input: SecondCode,
  proof: WalletProof,
  signal: Signal,
): Promise<Reauthentication> {
  return createConfirm(client, input, signal)(proof)
}

/** Shows the server the proof, together with a second factor's code where there is one. */
function createConfirm(client: Client, { secondFactorCode }: SecondCode, signal: Signal) {
  const { credential } = requireUser(client, 'confirming')
  const further = secondFactorCode === undefined ? {} : { secondFactorCode }
  return async (shown: EndpointTypes['reauthenticate']['input']): Promise<Reauthentication> =>
    toDated(
      takeToken(client, credential, await request(client, 'reauthenticate', { ...shown, ...further }, { signal })),
    )
}

export async function listSignInMethods(client: Client, signal: Signal): Promise<SignInMethods> {
  requireUser(client, 'listing the sign-in methods')
  return toDated(await request(client, 'listSignInMethods', {}, { signal }))
}

export async function createRecoveryCodes(client: Client, signal: Signal): Promise<readonly string[]> {
  requireUser(client, 'making recovery codes')
  const { codes } = await request(client, 'createRecoveryCodes', {}, { signal })
  invalidateReadings(client, 'getAccountSecurity', 'listActivity')
  return Object.freeze(codes)
}

export async function requestEmailCode(
  client: Client,
  input: RequestEmailCodeInput,
  signal: Signal,
): Promise<RequestedEmailCode> {
  if ('email' in input) requireString('email', input.email)
  else requireUser(client, 'confirming')
  return toDated(await request(client, 'requestEmailCode', input, { signal })) as RequestedEmailCode
}
