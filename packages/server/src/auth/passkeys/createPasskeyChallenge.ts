import { refuse, type WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { chooseRelyingParty } from './chooseRelyingParty.ts'
import { describeCredential } from './describeCredential.ts'
import { findPasskeys } from './findPasskeys.ts'
import { loadWebAuthn } from './loadWebAuthn.ts'
import { answerTime, keepPasskeyChallenge } from './passkeyChallenges.ts'

/** What a browser needs to ask for a passkey: any of this host to sign in, one of the caller's to confirm. */
export async function createPasskeyChallenge(
  context: Context,
  caller: Caller,
  purpose: 'signIn' | 'stepUp',
): Promise<{ options: WireFields }> {
  const userId = purpose === 'signIn' ? null : needSession(caller).userId
  const relyingParty = chooseRelyingParty(context, caller)
  const own = userId === null ? [] : await findPasskeys(context, userId)
  if (userId !== null && own.length === 0) {
    throw refuse('passkeyMissing')
  }
  const challenge = await keepPasskeyChallenge(context, caller, purpose, userId, relyingParty)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.rpId,
    challenge,
    timeout: answerTime,
    allowCredentials: own.map(describeCredential),
    userVerification: purpose === 'stepUp' ? 'required' : 'preferred',
  })
  return { options: options as unknown as WireFields }
}
