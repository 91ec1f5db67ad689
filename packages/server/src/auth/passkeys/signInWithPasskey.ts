import { refuse, type UserRecord } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { recordActivity } from '../../users/activity.ts'
import { createSession, type SessionProof } from '../../users/sessions/createSession.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { encodeUser, findUser } from '../../users/UserRow.ts'
import { loadWebAuthn, type RelyingParty, readNonce, takePasskeyChallenge } from './passkeyChallenges.ts'
import type { PasskeyRow } from './passkeys.ts'

/** Opens a session by a passkey of this server; no username is asked. */
async function signInWithPasskey(
  context: Context,
  caller: Caller,
  { credential, restoreAccount = false }: { credential: Assertion; restoreAccount?: boolean | undefined },
): Promise<UserRecord> {
  requireMethod(context, 'passkey')
  const { userId, passkeyId, userVerified, proof } = await provePasskey(context, caller, 'signIn', credential)
  const found = await findUser(context, userId)
  if (!found) throw refuse('passkeyUnknown')
  const createdWith = { action: 'login', authProvider: 'passkey' } as const
  const proven = { by: userVerified ? 'passkey' : 'passkeyTouch', createdWith, proof } as const
  const row = await restoreLocked(context, caller, found, { isWanted: restoreAccount, first: proven })
  if (!row) throw refuse('accountLocked', undefined, { status: 401 })
  await runBeforeSignIn(context, caller, encodeUser(context, row))
  const still = sql`select from countersign.passkeys where "objectId" = ${passkeyId} and "user" = ${userId}`
  const { token } = await createSession(context, caller, userId, { ...proven, still })
  const answer = { ...encodeUser(context, row), objectId: userId, sessionToken: token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: answer })
  return answer as UserRecord
}

/** `userVerified`: the device checked who uses it, by a PIN, a fingerprint or a face. */
export type PasskeyProof = { userId: string; passkeyId: string; userVerified: boolean; proof: SessionProof }

/**
 * Verifies a passkey's assertion for our challenge with this purpose, and returns its user. Every refusal consumes the
 * challenge.
 */
export async function provePasskey(
  context: Context,
  caller: Caller,
  purpose: 'signIn' | 'reauthenticate',
  credential: Assertion,
  /** User whose removed passkeys count, too. */
  removedFrom?: string,
): Promise<PasskeyProof> {
  const nonce = readNonce(credential.response)
  const relyingParty = await takePasskeyChallenge(context, caller, purpose, nonce)
  const [present] = await context.db.query<PasskeyRow>(
    sql.named('find-passkey')`select * from countersign.passkeys where credential = ${credential.id}`,
  )
  const passkey = present ?? (removedFrom && (await findRemoved(context, removedFrom, credential.id)))
  if (!passkey) throw refuse('passkeyUnknown')
  checkOwner(caller, purpose, credential, passkey)
  const { counter, backedUp, userVerified } = await verifyAssertion(credential, nonce, relyingParty, passkey)
  if (purpose === 'reauthenticate' && !userVerified) {
    throw refuse('passkeyNotVerifyingUser')
  }
  // The comparison is part of the write, so that of two assertions with one count, a copy's and the true one's, one
  // fails.
  const table = sql.id(present ? 'passkeys' : 'removed_passkeys')
  const counted = await context.db.query(sql`
    update countersign.${table} set counter = ${counter}, backed_up = ${backedUp}, last_used = ${context.clock.now()}
    where "objectId" = ${passkey.objectId}
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
    returning 1`)
  if (counted.length === 0) {
    await recordActivity(context, caller, passkey.user, 'refusePasskey', {
      objectId: passkey.objectId,
      name: passkey.name,
    })
    throw refuse('passkeyCopied')
  }
  return { userId: passkey.user, passkeyId: passkey.objectId, userVerified, proof: describeProof(credential, passkey) }
}

async function findRemoved({ db }: Context, userId: string, credential: string): Promise<PasskeyRow | undefined> {
  const [row] = await db.query<PasskeyRow>(
    sql`select * from countersign.removed_passkeys where credential = ${credential} and "user" = ${userId}`,
  )
  return row
}

function checkOwner(
  caller: Caller,
  purpose: 'signIn' | 'reauthenticate',
  { response }: Assertion,
  passkey: PasskeyRow,
): void {
  const { userHandle } = response
  // Without a username only the handle names the user; it may be absent if we named the passkeys.
  const isSilent = purpose === 'reauthenticate' && (userHandle === undefined || userHandle === null)
  const handle = Buffer.from(userHandle ?? '', 'base64url').toString('utf8')
  if (!isSilent && handle !== passkey.user_handle) throw refuse('passkeyOfOtherAccount')
  if (purpose === 'reauthenticate' && passkey.user !== caller.session?.userId) throw refuse('passkeyOfOtherAccount')
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
      // Zero, because the count is compared in the write, once the signature is verified.
      credential: { id: passkey.credential, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    })
    if (verified)
      return { counter: info.newCounter, backedUp: info.credentialBackedUp, userVerified: info.userVerified }
  } catch (cause) {
    throw refuse('passkeyRefused', undefined, { details: String((cause as Error).message).slice(0, 200) })
  }
  throw refuse('passkeyRefused')
}

/** Everything needed to verify it later: the signature covers authenticatorData and the SHA-256 of clientDataJSON. */
function describeProof({ id, response }: Assertion, passkey: PasskeyRow): SessionProof {
  const { authenticatorData, clientDataJSON, signature } = response
  const publicKey = passkey.public_key.toString('base64url')
  return {
    message: JSON.stringify({ type: 'webauthn.get', id, publicKey, authenticatorData, clientDataJSON }),
    signature,
  }
}

export const signInWithPasskeyEndpoint = defineEndpoint('signInWithPasskey', {
  handle: ({ context, caller, input }) => signInWithPasskey(context, caller, input),
})
