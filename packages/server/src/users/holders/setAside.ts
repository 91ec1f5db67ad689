import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'

/** Time in which a session restores a sign-in method that it removed. */
const restoreWindow = 10 * 60_000

/**
 * Times of a removed sign-in method. A session restores it until `undoUntil`. It is kept for longer: a thief who
 * removes the owner's method must not block the owner, so an undo of the owner returns it.
 */
export function setAsideTimes({ clock, config }: Context): { undoUntil: Date; keptUntil: Date } {
  const now = clock.ms()
  return { undoUntil: new Date(now + restoreWindow), keptUntil: new Date(now + keptFor(config)) }
}

/** Methods that are kept until after this can still be restored by a session. */
export function restorableFrom({ clock, config }: Context): Date {
  return new Date(clock.ms() + keptFor(config) - restoreWindow)
}

const keptFor = ({ emailUndoDuration }: Context['config']) => Math.max(restoreWindow, emailUndoDuration * 1000)

/** SQL conditions: which of the methods that were set aside. */
export type SetAside = { wallets: Fragment; passkeys: Fragment; identities: Fragment; factors: Fragment }

/** Removed since the given time. */
export function removedSince({ config }: Context, time: Date): SetAside {
  const isLater = sql`expires >= ${new Date(time.getTime() + keptFor(config))}`
  return { wallets: isLater, passkeys: isLater, identities: isLater, factors: isLater }
}

/** Returns sign-in methods to the account that they were removed from, unless somebody has them by now. */
export async function returnSetAside({ db }: Context, userId: string, chosen: SetAside): Promise<void> {
  await db.query(sql`
    with kept as (
      delete from countersign.unlinked_wallets where "user" = ${userId} and ${chosen.wallets} returning *
    )
    insert into countersign.wallets (key, "objectId", "user", namespace, kind, chain_id, address, label, is_primary,
      linked, last_used, code_hash, provisional, proof, imported)
    select key, "objectId", "user", namespace, kind, chain_id, address, label, false,
      linked, last_used, code_hash, provisional, proof, imported
    from kept
    on conflict (key) do nothing`)
  await db.query(sql`
    with kept as (
      delete from countersign.removed_passkeys where "user" = ${userId} and ${chosen.passkeys} returning *
    )
    insert into countersign.passkeys ("objectId", "user", credential, user_handle, public_key, counter, transports,
      backed_up, name, created, last_used)
    select "objectId", "user", credential, user_handle, public_key, counter, transports, backed_up, name, created,
      last_used
    from kept
    on conflict (credential) do nothing`)
  await db.query(sql`
    with kept as (
      delete from countersign.unlinked_identities where "user" = ${userId} and ${chosen.identities} returning *
    )
    insert into countersign.identities (provider, id, "user", data, linked, last_used)
    select provider, id, "user", data, linked, last_used from kept
    on conflict do nothing`)
  await db.query(sql`
    with kept as (
      delete from countersign.removed_factors where "user" = ${userId} and ${chosen.factors} returning *
    )
    insert into countersign.second_factors as f ("user", secret, confirmed, last_step, by_passkey, created)
    select "user", secret, confirmed, last_step, by_passkey, created from kept
    on conflict ("user") do update set secret = excluded.secret, confirmed = excluded.confirmed,
      last_step = excluded.last_step, by_passkey = excluded.by_passkey, created = excluded.created
    where f.confirmed is null and not f.by_passkey`)
}

/**
 * Keeps the second factor that is about to be turned off or replaced. Of several the oldest stays: a thief who turns the
 * owner's off, and an own one on and off, does not push it out.
 */
export async function setAsideFactor(context: Context, userId: string): Promise<void> {
  const { db, clock } = context
  await db.query(sql`
    insert into countersign.removed_factors as kept ("user", secret, confirmed, last_step, by_passkey, created, expires)
    select "user", case when confirmed is not null then secret end, confirmed, last_step, by_passkey, created,
      ${setAsideTimes(context).keptUntil}
    from countersign.second_factors
    where "user" = ${userId} and (confirmed is not null or by_passkey)
    on conflict ("user") do update set secret = excluded.secret, confirmed = excluded.confirmed,
      last_step = excluded.last_step, by_passkey = excluded.by_passkey, created = excluded.created,
      expires = excluded.expires
    where kept.expires <= ${clock.now()} or kept.created > excluded.created`)
}

/** Keeps a password that is replaced by somebody who did not show it. */
export async function setAsidePassword(context: Context, userId: string): Promise<void> {
  const { db, clock } = context
  await db.query(sql`
    insert into countersign.replaced_passwords ("user", hash, replaced, expires)
    select "objectId", "_password_hash", ${clock.now()}::timestamptz, ${setAsideTimes(context).keptUntil}::timestamptz
    from "_User"
    where "objectId" = ${userId} and "_password_hash" is not null
    on conflict do nothing`)
}
