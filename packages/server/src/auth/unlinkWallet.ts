import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { notifyOwner } from '../users/notifyOwner.ts'
import { requireFreshProof } from '../users/sensitiveChanges.ts'
import { choosePrimary } from './choosePrimary.ts'
import { encodeWallet, type WalletRow } from './encodeWallet.ts'
import { keepLastWayIn } from './keepLastWayIn.ts'
import { refreshAddresses } from './refreshAddresses.ts'

const undoWindow = 10 * 60_000

/** Takes a wallet from the caller's account: after a recent proof, and never the last way in. It can be restored for a while. */
export async function unlinkWallet(context: Context, caller: Caller, objectId: string): Promise<{ undoUntil: string }> {
  const { userId } = needSession(caller)
  await requireFreshProof(context, caller, 'unlinkWallet', userId)
  const undoUntil = new Date(context.clock.now().getTime() + undoWindow)
  await keepLastWayIn(context, caller, 'unlinkWallet', userId, async () => {
    const wallet = await setAside(context, userId, objectId, undoUntil)
    if (!wallet) throw refuse('walletNotFound')
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    // With the wallet go the roles that it opened.
    context.db.afterCommit(() => context.roleCache.forgetAll())
    const { namespace, kind, chain_id: chainId, address } = wallet
    await noteActivity(context, caller, userId, 'unlinkWallet', { objectId, namespace, kind, chainId, address })
    notifyOwner(context, userId, (say) => say('walletRemoved', { address: encodeWallet(wallet).address }))
  })
  return { undoUntil: undoUntil.toISOString() }
}

async function setAside(
  { db }: Context,
  userId: string,
  objectId: string,
  until: Date,
): Promise<WalletRow | undefined> {
  const [row] = await db.query<WalletRow>({
    text: `with gone as (delete from countersign.wallets where "objectId" = $1 and "user" = $2 returning *)
           insert into countersign.unlinked_wallets as u
                  (key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary, linked, last_used, code_hash, provisional, proof, expires)
           select key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary, linked, last_used, code_hash, provisional, proof, $3 from gone
           on conflict (key, "user") do update set "objectId" = excluded."objectId", kind = excluded.kind, label = excluded.label,
             is_primary = excluded.is_primary, linked = excluded.linked, last_used = excluded.last_used, code_hash = excluded.code_hash, expires = excluded.expires
           returning *`,
    values: [objectId, userId, until],
  })
  return row
}
