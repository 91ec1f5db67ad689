import { refuse } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { decide } from '../../permissions/decide.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { createUserWithoutName } from '../../users/createUserWithoutName.ts'
import { freeAddress } from '../../users/holders/freeAddress.ts'
import { findUser, type UserRow } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'

type Reader = {
  email: string
  key: string
  /** Account that has the address so far, and was not shown to hold it. It keeps everything else. */
  from?: string | undefined
  passwordHash?: string | null
}

/** Makes an account for the reader of a mailbox, with the address. In the transaction that spends what was mailed. */
export async function createReader(
  context: Context,
  caller: Caller,
  { email, key, from, passwordHash = null }: Reader,
): Promise<UserRow> {
  const { db, clock, classes } = context
  decide(classes.get('_User'), await accessOf(context, caller), 'create')
  if (from !== undefined && !(await freeAddress(context, caller, from, key))) throw refuse('emailTaken')
  const objectId = newObjectId()
  const now = sql.param(clock.now())
  const own = sql.param([objectId])
  const insert = async (username: string) => {
    await db.query(sql`
      insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key",
        email, "_email_key", "emailVerified", "_password_hash")
      values (${objectId}, ${now}, ${now}, ${own}, ${own}, ${username}, ${nameKey(username)}, ${email}, ${key}, true,
        ${passwordHash})`)
    db.reportChange('_User')
    return objectId
  }
  await createUserWithoutName(context, caller, insert, { email, emailVerified: true })
  const row = await findUser(context, objectId)
  if (!row) throw refuse('objectNotFound')
  return row
}
