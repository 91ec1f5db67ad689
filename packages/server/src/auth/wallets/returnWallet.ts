import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { restoreAccount } from '../../users/accountDeletion.ts'
import { recordActivity } from '../../users/activity.ts'
import { opensByMail } from '../../users/email/emailChanges.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { isLockedSql, lockUsers } from '../../users/UserRow.ts'
import type { WalletRow } from './WalletRow.ts'
import { choosePrimary, encodeWallet, refreshAddresses } from './wallets.ts'

/**
 * Start of the window whose additions end if an unlinked wallet returns by its own signature; `null` if it cannot
 * return. A thief links a wallet and unlinks the owner's only one: that wallet is then older than everything left. If
 * something older than the window is left (a password, an address, another wallet), the owner has that too, and the
 * wallet may have been removed because its key leaked. Call it after the removal.
 */
export async function findReturn(
  { db, clock, config }: Context,
  userId: string,
  wallet: { linked: Date },
): Promise<Date | null> {
  const window = clock.ms() - config.emailUndoDuration * 1000
  const reaches = new Date(Math.max(window, wallet.linked.getTime() + 1))
  const [older] = await db.query(sql`
    select from "_User" u
    where u."objectId" = ${userId} and (
      exists (select from countersign.wallets where "user" = ${userId} and linked < ${reaches})
      or exists (select from countersign.passkeys where "user" = ${userId} and created < ${reaches})
      or exists (select from countersign.identities where "user" = ${userId} and (linked is null or linked < ${reaches}))
      or exists (select from countersign.recovery_codes
        where "user" = ${userId} and created < ${reaches} and used is null)
      or exists (select from countersign.email_changes
        where "user" = ${userId} and expires > ${clock.now()} and coalesce(added, u."createdAt") < ${reaches})
      or (u."emailVerified" is true and ${opensByMail} and coalesce(u."_email_added", u."createdAt") < ${reaches})
      or (u."_password_hash" is not null and u."createdAt" < ${reaches} and not exists (
        select from countersign.activity
        where "user" = ${userId} and action in ('addPassword', 'changePassword', 'resetPassword')
          and at >= ${reaches}))
    )`)
  return older ? null : reaches
}

type Unlinked = WalletRow & { key: string; reaches: Date; expires: Date; isDeleted: boolean }

/**
 * Account that this wallet was unlinked from and may return to; `undefined` if there is none. Includes one to be
 * deleted: a thief would delete it to lock out its owner. Excludes one that an operator locked.
 */
export async function findUnlinked({ db, clock }: Context, key: string): Promise<Unlinked | undefined> {
  const [row] = await db.query<Unlinked>(sql`
    select w.*, d."user" is not null as "isDeleted" from countersign.unlinked_wallets w
    join "_User" u on u."objectId" = w."user"
    left join countersign.deletions d on d."user" = w."user" and d.due > ${clock.now()}
      and (d.rperm is distinct from '{}' or d.wperm is distinct from '{}')
    where w.key = ${key} and w.reaches is not null and w.expires > ${clock.now()}
      and (d."user" is not null or not ${isLockedSql})
      and not exists (select from countersign.wallets l where l.key = w.key)
    order by w.linked
    limit 1`)
  return row
}

/** Refuses with the offer to return the wallet, to a caller who has signed with it. */
export function refuseUnlinked({ expires }: Unlinked): never {
  const time = expires.toISOString()
  throw refuse(
    'walletUnlinked',
    { day: time.slice(0, 10), time },
    { details: 'Sign in again with restoreAccount: true to restore it, or with newAccount: true for a new account.' },
  )
}

/**
 * Gives the account back to the wallet that was unlinked from it: what was added in the window ends, the sessions that
 * did it with it, and so does an address that came in it.
 */
export async function returnWallet(
  context: Context,
  caller: Caller,
  { key, user }: { key: string; user: string },
): Promise<void> {
  const { db, clock } = context
  await db.transaction(async () => {
    const found = await findUnlinked(context, key)
    // Of several former accounts, only the one in the offer.
    if (found?.user !== user) throw refuse('walletRestoreExpired')
    const { user: userId, reaches, objectId, namespace, kind, chain_id: chainId, address } = found
    await lockUsers(context, [userId])
    if (found.isDeleted && !(await restoreAccount(context, caller, userId, { isWanted: true })))
      throw refuse('walletRestoreExpired')
    notifyOwner(context, userId, (say) => say('walletRestored', { address: encodeWallet(found).address }))
    await changeHolder(context, userId, 'unlinked wallet returns by its signature', { since: reaches })
    await db.query(sql`
      update "_User" set email = null, "_email_key" = null, "emailVerified" = null, "_email_added" = null,
        "_verified_outside" = null
      where "objectId" = ${userId} and "_email_added" >= ${reaches}`)
    db.reportChange('_User')
    await db.query(sql`
      with kept as (delete from countersign.unlinked_wallets where key = ${key} and "user" = ${userId} returning *)
      insert into countersign.wallets (key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary,
        linked, last_used, code_hash, provisional, proof, imported)
      select key, "objectId", "user", namespace, kind, chain_id, address, label, false,
        linked, ${clock.now()}, code_hash, provisional, proof, imported
      from kept`)
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    await recordActivity(context, caller, userId, 'restoreWallet', { objectId, namespace, kind, chainId, address })
  })
}
