import { refuse, type WalletRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { notifyOwner } from '../users/notifyOwner.ts'
import { makeSensitiveChange } from '../users/sensitiveChanges.ts'
import { choosePrimary, setPrimary } from './choosePrimary.ts'
import { encodeWallet, type WalletRow } from './encodeWallet.ts'
import { refreshAddresses } from './refreshAddresses.ts'

/**
 * Gives a wallet back that the caller unlinked a moment ago. Only after a recent proof: an owner may have
 * unlinked it because somebody else has its key, and a session left open elsewhere must not bring it back.
 */
export async function restoreWallet(context: Context, caller: Caller, objectId: string): Promise<WalletRecord> {
  const { userId } = needSession(caller)
  const { db, clock } = context
  return makeSensitiveChange(context, caller, 'restoreWallet', userId, async () => {
    const [kept] = await db.query<WalletRow & { key: string }>({
      text: 'delete from countersign.unlinked_wallets where "objectId" = $1 and "user" = $2 and expires > $3 returning *',
      values: [objectId, userId, clock.now()],
    })
    if (!kept) throw refuse('walletRestoreExpired')
    const { key, namespace, kind, chain_id: chainId, address } = kept
    const restored = await db.query({
      text: `insert into countersign.wallets (key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary, linked, last_used, code_hash, provisional, proof)
             values ($1, $2, $3, $4, $5, $6, $7, $8, false, $9, $10, $11, $12, $13) on conflict (key) do nothing returning 1`,
      values: [
        key,
        objectId,
        userId,
        namespace,
        kind,
        chainId,
        address,
        kept.label,
        kept.linked,
        kept.last_used,
        kept.code_hash,
        kept.provisional,
        kept.proof,
      ],
    })
    if (restored.length > 0) {
      if (kept.is_primary) await setPrimary(context, userId, objectId)
      await choosePrimary(context, userId)
      await refreshAddresses(context, userId)
      await noteActivity(context, caller, userId, 'restoreWallet', { objectId, namespace, kind, chainId, address })
      notifyOwner(context, userId, (say) => say('walletRestored', { address: encodeWallet(kept).address }))
    }
    const [wallet] = await db.query<WalletRow>({
      text: 'select * from countersign.wallets where key = $1',
      values: [key],
    })
    if (wallet?.user !== userId) throw refuse('accountAlreadyLinked')
    return encodeWallet(wallet)
  })
}
