import { newObjectId } from '../classes/newObjectId.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { accountKey, type ProvenAccount } from './Account.ts'
import { endClaims, sealClaim } from './provisionalWallets.ts'
import { refreshAddresses } from './refreshAddresses.ts'
import type { Signed } from './verifyContractSignature.ts'

/** Gives a proven account to a user, in the caller's transaction. A unique violation says that it is somebody's already. */
export async function addWallet(
  context: Context,
  caller: Caller,
  userId: string,
  { codeHash, ...account }: ProvenAccount,
  /** Kept of an account that is not deployed yet, to know its owner by. */
  proof?: Signed,
): Promise<string> {
  const isProvisional = account.deployment !== undefined
  const objectId = newObjectId()
  await context.db.query({
    text: `insert into countersign.wallets (key, "objectId", "user", namespace, kind, chain_id, address, is_primary, linked, last_used, code_hash, provisional, proof)
           values ($1, $2, $3, $4, $5, $6, $7, not exists (select from countersign.wallets where "user" = $3 and namespace = $4), $8, $8, $9, $10, $11)`,
    values: [
      accountKey(account),
      objectId,
      userId,
      account.namespace,
      account.kind,
      account.chainId,
      account.address,
      context.clock.now(),
      codeHash ?? null,
      isProvisional,
      isProvisional && proof ? sealClaim(context, proof) : null,
    ],
  })
  if (account.chainId !== null && !isProvisional) await endClaims(context, account)
  await refreshAddresses(context, userId)
  await noteActivity(context, caller, userId, 'linkWallet', { ...account })
  return objectId
}
