import { refuse } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { SessionProof } from '../../users/createSession.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { refused } from '../proveAccount.ts'
import type { RelyingParty } from './chooseRelyingParty.ts'
import type { PasskeyRow } from './encodePasskey.ts'
import { loadWebAuthn } from './loadWebAuthn.ts'
import { takePasskeyChallenge } from './passkeyChallenges.ts'
import { readNonce } from './readNonce.ts'

/** `userVerified`: the device checked who uses it, by a PIN, a fingerprint or a face. */
export type PasskeyProof = { userId: string; passkeyId: string; userVerified: boolean; proof: SessionProof }

/** The user whose passkey answered a challenge of ours for this purpose. Every refusal uses the challenge up. */
export async function provePasskey(
  context: Context,
  caller: Caller,
  purpose: 'signIn' | 'stepUp',
  credential: Assertion,
): Promise<PasskeyProof> {
  const nonce = readNonce(credential.response)
  const relyingParty = await takePasskeyChallenge(context, caller, purpose, nonce)
  const [passkey] = await context.db.query<PasskeyRow>({
    name: 'find-passkey',
    text: 'select * from countersign.passkeys where credential = $1',
    values: [credential.id],
  })
  if (!passkey) throw refuse('passkeyUnknown')
  checkOwner(caller, purpose, credential, passkey)
  const { counter, backedUp, userVerified } = await verifyAssertion(credential, nonce, relyingParty, passkey)
  if (purpose === 'stepUp' && !userVerified) {
    throw refuse('passkeyNotVerifyingUser')
  }
  // The comparison is part of the write, so that of two answers with one count, a copy's and the true one's, one fails.
  const counted = await context.db.query({
    name: 'use-passkey',
    text: `update countersign.passkeys set counter = $2, backed_up = $3, last_used = $4
           where "objectId" = $1 and (counter < $2::bigint or (counter = 0 and $2::bigint = 0)) returning 1`,
    values: [passkey.objectId, counter, backedUp, context.clock.now()],
  })
  if (counted.length === 0) {
    await noteActivity(context, caller, passkey.user, 'refusePasskey', {
      objectId: passkey.objectId,
      name: passkey.name,
    })
    throw refused('This passkey was used out of order, as a copy of it would be. Sign in another way, and replace it.')
  }
  return { userId: passkey.user, passkeyId: passkey.objectId, userVerified, proof: describeProof(credential, passkey) }
}

function checkOwner(caller: Caller, purpose: 'signIn' | 'stepUp', { response }: Assertion, passkey: PasskeyRow): void {
  const { userHandle } = response
  // Without a user name nothing else says whom the authenticator means; where we named the passkeys it may be silent.
  const isSilent = purpose === 'stepUp' && (userHandle === undefined || userHandle === null)
  const handle = Buffer.from(userHandle ?? '', 'base64url').toString('utf8')
  if (!isSilent && handle !== passkey.user_handle) throw refuse('passkeyOfOtherAccount')
  if (purpose === 'stepUp' && passkey.user !== caller.session?.userId) throw refuse('passkeyOfOtherAccount')
}

async function verifyAssertion(
  credential: Assertion,
  nonce: string,
  { rpId, origin }: RelyingParty,
  passkey: PasskeyRow,
): Promise<{ counter: number; backedUp: boolean; userVerified: boolean }> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { userHandle } = credential.response
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...credential.response, userHandle: userHandle ?? undefined },
        clientExtensionResults: {},
      },
      expectedChallenge: nonce,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      // Zero, for the count is compared where it is written, once the signature is known to be true.
      credential: { id: passkey.credential, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    })
    if (verified)
      return { counter: info.newCounter, backedUp: info.credentialBackedUp, userVerified: info.userVerified }
  } catch (cause) {
    throw refuse('passkeyRefused', undefined, { details: String((cause as Error).message).slice(0, 200) })
  }
  throw refuse('passkeyRefused')
}

/** All that is needed to verify it later: the signature is over authenticatorData and the SHA-256 of clientDataJSON. */
function describeProof({ id, response }: Assertion, passkey: PasskeyRow): SessionProof {
  const { authenticatorData, clientDataJSON, signature } = response
  const publicKey = passkey.public_key.toString('base64url')
  return {
    message: JSON.stringify({ type: 'webauthn.get', id, publicKey, authenticatorData, clientDataJSON }),
    signature,
  }
}
