import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { recordActivity } from '../activity.ts'
import { nameKey, newUsername } from '../usernames.ts'
import { changeHolder } from './changeHolder.ts'

/**
 * Removes an unproven address from an account, for the reader of the mailbox. The account keeps everything else; a name
 * equal to the address is replaced. Returns false if the holder verified it.
 */
export async function freeAddress(context: Context, caller: Caller, userId: string, key: string): Promise<boolean> {
  const { db, clock } = context
  // Before the address goes: codes that were mailed to it are found by it.
  await changeHolder(context, userId, 'address given to its reader')
  const name = newUsername()
  const freed = await db.query(sql`
    update "_User" set
      username = case when "_username_key" = ${key} then ${name} else username end,
      "_username_key" = case when "_username_key" = ${key} then ${nameKey(name)} else "_username_key" end,
      email = null, "_email_key" = null, "emailVerified" = null, "_email_added" = null, "_verified_outside" = null,
      "updatedAt" = ${clock.now()}
    where "objectId" = ${userId} and "_email_key" = ${key} and ("emailVerified" is not true or "_verified_outside")
    returning 1`)
  if (freed.length === 0) return false
  await recordActivity(context, caller, userId, 'changeEmail')
  db.reportChange('_User')
  return true
}
