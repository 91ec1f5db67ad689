import { type PasskeyRecord, refuse } from '@countersign/protocol'
import type { Attestation } from '@countersign/protocol/contract'
import { newObjectId } from '../../classes/newObjectId.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { needSession } from '../../users/needSession.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { refuseHidden } from '../../users/readCredentials.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { isTransport } from './describeCredential.ts'
import { encodePasskey, type PasskeyRow } from './encodePasskey.ts'
import { takePasskeyChallenge } from './passkeyChallenges.ts'
import { readNonce } from './readNonce.ts'
import { verifyAttestation } from './verifyAttestation.ts'

type PasskeyInput = { credential: Attestation; name?: string | null }

/** Adds a passkey to the caller's account. */
export async function registerPasskey(context: Context, caller: Caller, input: PasskeyInput): Promise<PasskeyRecord> {
  const { userId } = needSession(caller)
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
      await noteActivity(context, caller, userId, 'addPasskey', { objectId: row.objectId, name })
      notifyOwner(context, userId, (say) => say('passkeyAdded'))
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'passkeys_credential_key')) throw error
    throw refuse('passkeyTaken')
  }
  return encodePasskey(row)
}

async function insert({ db }: Context, row: PasskeyRow): Promise<void> {
  await db.query({
    text: `insert into countersign.passkeys ("objectId", "user", credential, user_handle, public_key, counter, transports, backed_up, name, created)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      row.objectId,
      row.user,
      row.credential,
      row.user_handle,
      row.public_key,
      row.counter,
      row.transports,
      row.backed_up,
      row.name,
      row.created,
    ],
  })
}
