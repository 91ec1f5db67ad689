import { CountersignError, type PasskeyRecord, refuse, type WireValue } from '@countersign/protocol'
import { newObjectId } from '../../classes/newObjectId.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isLonger, longest } from '../../context/limits.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { needSession } from '../../users/needSession.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { refuseHidden } from '../../users/readCredentials.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { isTransport } from './describeCredential.ts'
import { encodePasskey, type PasskeyRow } from './encodePasskey.ts'
import { takePasskeyChallenge } from './passkeyChallenges.ts'
import { readAttestation } from './readCredential.ts'
import { verifyAttestation } from './verifyAttestation.ts'

export type PasskeyInput = { credential?: WireValue; name?: WireValue }

/** Adds a passkey to the caller's account. */
export async function registerPasskey(context: Context, caller: Caller, input: PasskeyInput): Promise<PasskeyRecord> {
  const { userId } = needSession(caller)
  await requireFreshProof(context, caller, 'addPasskey', userId)
  const name = readName(input.name)
  const { credential, nonce } = readAttestation(input.credential)
  const relyingParty = await takePasskeyChallenge(context, caller, 'registration', nonce)
  const made = await verifyAttestation(credential, nonce, relyingParty)
  const row: PasskeyRow = {
    objectId: newObjectId(),
    user: userId,
    credential: made.id,
    user_handle: userId,
    public_key: Buffer.from(made.publicKey),
    counter: made.counter,
    transports: [...new Set(credential.response.transports.filter(isTransport))],
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

function readName(value: WireValue | undefined): string {
  if (value === undefined || value === null) return 'Passkey'
  if (typeof value !== 'string' || isLonger(value.trim(), longest.passkeyName)) {
    throw new CountersignError('InvalidValue', `name must be a text of at most ${longest.passkeyName} characters.`)
  }
  refuseHidden(value, 'name')
  return value.trim() || 'Passkey'
}
