import { CountersignError, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { findUser } from '../../users/findUser.ts'
import { requireFreshProof } from '../../users/sensitiveChanges.ts'
import { decodeUser } from '../../users/UserRow.ts'
import { updateUser } from '../../users/updateUser.ts'
import { linkAccount } from '../linkWallet.ts'
import { echoAuthData } from './echoAuthData.ts'
import { linkAnonymousId } from './linkAnonymousId.ts'
import { proveByAuthData } from './proveByAuthData.ts'
import { readAnonymousId } from './readAnonymousId.ts'
import { type ProviderProof, readAuthData } from './readAuthData.ts'
import { unlinkAnonymousId } from './unlinkAnonymousId.ts'

/** Changes a user by a body with `authData`: links what is in it and not the user's yet. */
export async function updateByAuthData(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireChanges,
): Promise<WireFields> {
  const { authData, ...fields } = input
  const given = readAuthData(authData as WireValue)
  const anonymousId = readAnonymousId(context, authData as WireValue)
  const fresh: ProviderProof[] = []
  // The older clients send ways in back as they got them; those need no proof again.
  for (const proof of given) if (!(await isOwn(context, objectId, proof))) fresh.push(proof)
  if (fresh.length > 0 && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', `Cannot modify user ${objectId.slice(0, 64)}.`)
  }
  // Before the signature is looked at, and again with the change: this form is no way around either.
  if (fresh.length > 0) await requireFreshProof(context, caller, 'linkWallet', objectId)
  for (const proof of fresh) {
    const { account } = await proveByAuthData(context, caller, 'link', proof)
    await linkAccount(context, caller, objectId, account)
  }
  const answer = await context.db.transaction(async () => {
    if (typeof anonymousId === 'string') await linkAnonymousId(context, caller, objectId, anonymousId)
    const changed = await updateUser(context, caller, objectId, fields)
    // Last: a password that came along may be the way in that stays.
    if (anonymousId === null) await unlinkAnonymousId(context, caller, objectId)
    return changed
  })
  const row = await findUser(context, objectId)
  if (!row || caller.session?.userId !== objectId) return answer
  return { ...answer, authData: echoAuthData(decodeUser(context.classes.get('_User'), row), row._anonymous !== null) }
}

/** Beside a contract account of the same address, what comes with a signature may be the proof of the key pair. */
async function isOwn({ db }: Context, userId: string, { namespace, id, data }: ProviderProof): Promise<boolean> {
  const rows = await db.query({
    text: 'select 1 from countersign.wallets where "user" = $1 and namespace = $2 and address = $3 and (chain_id is null or $4)',
    values: [userId, namespace, namespace === 'eip155' ? id.toLowerCase() : id, data === undefined],
  })
  return rows.length > 0
}
