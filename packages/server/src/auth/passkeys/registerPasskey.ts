import { type PasskeyRecord, refuse } from '@countersign/protocol'
import type { Attestation } from '@countersign/protocol/contract'
import type { WebAuthnCredential } from '@simplewebauthn/server'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { refuseHidden } from '../../users/hiddenCharacters.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import {
  algorithms,
  isTransport,
  loadWebAuthn,
  type RelyingParty,
  readNonce,
  takePasskeyChallenge,
} from './passkeyChallenges.ts'
import { encodePasskey, type PasskeyRow } from './passkeys.ts'

type PasskeyInput = { credential: Attestation; name?: string | null }

/** Adds a passkey to the caller's account. */
async function registerPasskey(context: Context, caller: Caller, input: PasskeyInput): Promise<PasskeyRecord> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'addPasskey', userId)
  const { credential } = input
  const name = input.name || 'Passkey'
  refuseHidden(name, 'name')
  const nonce = readNonce(credential.response)
  const relyingParty = await takePasskeyChallenge(context, caller, 'registration', nonce)
  const made = await verifyAttestation(credential, nonce, relyingParty)
  const row: PasskeyRow = {
    objectId: newObjectId(),
    user: userId,
    credential: made.id,
    user_handle: userId,
    public_key: Buffer.from(made.publicKey),
    counter: made.counter,
    transports: [...new Set(credential.response.transports ?? [])].filter(isTransport),
    backed_up: made.backedUp,
    name,
    created: context.clock.now(),
    last_used: null,
  }
  try {
    await makeSensitiveChange(context, caller, 'addPasskey', userId, async () => {
      await insert(context, row)
      await recordActivity(context, caller, userId, 'addPasskey', { objectId: row.objectId, name })
      await notifyOfAddition(context, caller, userId, (say) => say('passkeyAdded'))
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_credential_key')) throw error
    throw refuse('passkeyTaken')
  }
  return encodePasskey(row)
}

async function insert({ db }: Context, row: PasskeyRow): Promise<void> {
  await db.query(sql`
    insert into countersign.passkeys
      ("objectId", "user", credential, user_handle, public_key, counter, transports, backed_up, name, created)
    values (${row.objectId}, ${row.user}, ${row.credential}, ${row.user_handle}, ${row.public_key}, ${row.counter},
      ${row.transports}, ${row.backed_up}, ${row.name}, ${row.created})`)
}

type NewCredential = WebAuthnCredential & { backedUp: boolean }

/** The new key, if the browser made it for this very request. */
async function verifyAttestation(
  credential: Attestation,
  nonce: string,
  { rpId, origin }: RelyingParty,
): Promise<NewCredential> {
  try {
    await refuseCertificates(credential)
    const { verifyRegistrationResponse } = await loadWebAuthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response: { ...credential.response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: nonce,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo && registrationInfo.credential.id === credential.id) {
      return { ...registrationInfo.credential, backedUp: registrationInfo.credentialBackedUp }
    }
  } catch (cause) {
    throw refuse('passkeyRefused', undefined, { details: String((cause as Error).message).slice(0, 200) })
  }
  throw refuse('passkeyRefused')
}

/**
 * We ask for no word of the maker, and browsers then send none. A statement with certificates could name lists of
 * revoked ones for us to fetch, which would let anyone make this server call any address (SSRF).
 */
async function refuseCertificates({ response }: Attestation): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const object = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const format = object.get('fmt')
  if (format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined)) return
  throw new Error('attestation is not supported')
}

export const registerPasskeyEndpoint = defineEndpoint('registerPasskey', {
  handle: ({ context, caller, input }) => registerPasskey(context, caller, input),
})
