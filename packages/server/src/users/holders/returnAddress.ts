import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { expiredLink } from '../email/mailTokens.ts'
import { lockUsers } from '../UserRow.ts'
import { nameKey } from '../usernames.ts'
import { freeAddress } from './freeAddress.ts'

/** A verified address that an account had. */
export type FormerEmail = { email: string; added: Date | null; verified_outside: boolean }

/**
 * Holds the account for an undo that returns its address. Somebody may have taken the address since, to keep it from
 * coming back: only one who verified it keeps it.
 */
export async function freeForReturn(context: Context, caller: Caller, userId: string, email: string): Promise<void> {
  const key = nameKey(email)
  const [taker] = await context.db.query<{ objectId: string }>(
    sql`select "objectId" from "_User" where "_email_key" = ${key} and "objectId" <> ${userId}`,
  )
  if ((await lockUsers(context, taker ? [userId, taker.objectId] : [userId])) === 0) throw expiredLink()
  if (taker && !(await freeAddress(context, caller, taker.objectId, key))) throw refuse('emailOfOtherAccount')
}

/** Gives a verified address back, also as the user name where the name was the address. */
export async function writeAddress({ db, clock }: Context, userId: string, former: FormerEmail): Promise<void> {
  const { email, added, verified_outside: outside } = former
  const key = nameKey(email)
  await db.query(sql`
    update "_User" u set
      username = case when name.returns then ${email} else username end,
      "_username_key" = case when name.returns then ${key} else "_username_key" end,
      email = ${email}, "_email_key" = ${key}, "emailVerified" = true, "_email_added" = ${added},
      "_verified_outside" = ${outside}, "updatedAt" = ${clock.now()}
    from (
      select "_username_key" = "_email_key" and not exists (
        select from "_User" where "_username_key" = ${key} and "objectId" <> ${userId}) as returns
      from "_User"
      where "objectId" = ${userId}
    ) name
    where u."objectId" = ${userId}`)
  db.reportChange('_User')
}
