import { refuse, type WalletRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { restorableFrom, setAsideTimes } from '../../users/holders/setAside.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { requireRemainingMethod } from '../signInMethods.ts'
import { findReturn } from './returnWallet.ts'
import type { WalletRow } from './WalletRow.ts'
import { choosePrimary, encodeWallet, refreshAddresses, setPrimary } from './wallets.ts'

/** Removes a wallet from the caller's account, after a recent proof and never the last sign-in method. Can be undone. */
export async function unlinkWallet(context: Context, caller: Caller, objectId: string): Promise<{ undoUntil: string }> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'unlinkWallet', userId)
  const { undoUntil, keptUntil } = setAsideTimes(context)
  await requireRemainingMethod(context, caller, 'unlinkWallet', userId, async () => {
    const wallet = await setAside(context, userId, objectId, keptUntil)
    if (!wallet) throw refuse('walletNotFound')
    await context.db.query(sql`
      update countersign.unlinked_wallets set reaches = ${await findReturn(context, userId, wallet)}
      where "objectId" = ${objectId} and "user" = ${userId}`)
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    // With the wallet go the roles that it opened.
    context.db.afterCommit(() => context.roleCache.forgetAll())
    const { namespace, kind, chain_id: chainId, address } = wallet
    await recordActivity(context, caller, userId, 'unlinkWallet', {
      ...{ objectId, namespace, kind, chainId, address },
      undoUntil: undoUntil.toISOString(),
    })
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
  const [row] = await db.query<WalletRow>(sql`
    with gone as (delete from countersign.wallets where "objectId" = ${objectId} and "user" = ${userId} returning *)
    insert into countersign.unlinked_wallets (key, "objectId", "user", namespace, kind, chain_id, address, label,
      is_primary, linked, last_used, code_hash, provisional, proof, imported, lapsed, expires)
    select key, "objectId", "user", namespace, kind, chain_id, address, label,
      is_primary, linked, last_used, code_hash, provisional, proof, imported, lapsed, ${until}
    from gone
    on conflict (key, "user") do update set
      "objectId" = excluded."objectId", kind = excluded.kind, label = excluded.label,
      is_primary = excluded.is_primary, linked = excluded.linked, last_used = excluded.last_used,
      code_hash = excluded.code_hash, provisional = excluded.provisional, proof = excluded.proof,
      imported = excluded.imported, lapsed = excluded.lapsed, expires = excluded.expires
    returning *`)
  return row
}

/**
 * Gives a wallet back that the caller unlinked a moment ago. Only after a recent proof: an owner may have
 * unlinked it because somebody else has its key, and a session left open elsewhere must not bring it back.
 */
async function restoreWallet(context: Context, caller: Caller, objectId: string): Promise<WalletRecord> {
  const { userId } = requireSession(caller)
  const { db } = context
  return makeSensitiveChange(context, caller, 'restoreWallet', userId, async () => {
    const [kept] = await db.query<WalletRow & { key: string }>(sql`
      delete from countersign.unlinked_wallets
      where "objectId" = ${objectId} and "user" = ${userId} and expires > ${restorableFrom(context)}
      returning *`)
    if (!kept) throw refuse('walletRestoreExpired')
    const { key, namespace, kind, chain_id: chainId, address } = kept
    const restored = await db.query(sql`
      insert into countersign.wallets (key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary,
        linked, last_used, code_hash, provisional, proof, imported, lapsed)
      values (${key}, ${objectId}, ${userId}, ${namespace}, ${kind}, ${chainId}, ${address}, ${kept.label}, false,
        ${kept.linked}, ${kept.last_used}, ${kept.code_hash}, ${kept.provisional}, ${kept.proof}, ${kept.imported},
        ${kept.lapsed})
      on conflict (key) do nothing
      returning 1`)
    if (restored.length > 0) {
      if (kept.is_primary) await setPrimary(context, userId, objectId)
      await choosePrimary(context, userId)
      await refreshAddresses(context, userId)
      await recordActivity(context, caller, userId, 'restoreWallet', { objectId, namespace, kind, chainId, address })
      notifyOwner(context, userId, (say) => say('walletRestored', { address: encodeWallet(kept).address }))
    }
    const [wallet] = await db.query<WalletRow>(sql`select * from countersign.wallets where key = ${key}`)
    if (wallet?.user !== userId) throw refuse('accountAlreadyLinked')
    return encodeWallet(wallet)
  })
}

export const unlinkWalletEndpoint = defineEndpoint('unlinkWallet', {
  handle: ({ context, caller, params }) => unlinkWallet(context, caller, params.objectId),
})

export const restoreWalletEndpoint = defineEndpoint('restoreWallet', {
  handle: ({ context, caller, params }) => restoreWallet(context, caller, params.objectId),
})
