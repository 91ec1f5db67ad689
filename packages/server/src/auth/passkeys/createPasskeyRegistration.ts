import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { requireFreshProof } from '../../users/sensitiveChanges.ts'
import { chooseRelyingParty } from './chooseRelyingParty.ts'
import { describeCredential } from './describeCredential.ts'
import { findPasskeys } from './findPasskeys.ts'
import { loadWebAuthn } from './loadWebAuthn.ts'
import { answerTime, keepPasskeyChallenge } from './passkeyChallenges.ts'

/** Ed25519, P-256 and RSA: what authenticators in use can do. */
export const algorithms = [-8, -7, -257]

/** What a browser needs to make a passkey for the caller. */
export async function createPasskeyRegistration(context: Context, caller: Caller): Promise<{ options: WireFields }> {
  const { userId, user } = needSession(caller)
  await requireFreshProof(context, caller, 'addPasskey', userId)
  const relyingParty = chooseRelyingParty(context, caller)
  const known = await findPasskeys(context, userId)
  const challenge = await keepPasskeyChallenge(context, caller, 'registration', userId, relyingParty)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const username = String(user.username)
  const options = await generateRegistrationOptions({
    rpName: context.config.appName,
    rpID: relyingParty.rpId,
    userID: new Uint8Array(Buffer.from(userId, 'utf8')),
    userName: username,
    userDisplayName: username,
    challenge,
    timeout: answerTime,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(describeCredential),
    // To be found without a user name, it must be kept by the authenticator.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  return { options: options as unknown as WireFields }
}
