import { refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { checkNewFields } from '../../permissions/checkWrite.ts'
import { removeUser } from '../../users/accountDeletion.ts'
import { findSession } from '../../users/findSession.ts'
import { findUser } from '../../users/findUser.ts'
import { encodeUser } from '../../users/UserRow.ts'
import { updateUser } from '../../users/updateUser.ts'
import type { OpenedAccount } from '../openAccount.ts'

/** Writes what came along with the first sign-in into the account that it made. */
export async function fillInAccount(
  context: Context,
  guest: Caller,
  user: OpenedAccount['user'],
  fields: WireChanges,
): Promise<OpenedAccount['user']> {
  const caller = { ...guest, session: await findSession(context, user.sessionToken) }
  try {
    await checkNewFields(context, caller, '_User', fields)
    const { sessionToken = user.sessionToken } = (await updateUser(
      context,
      caller,
      user.objectId,
      fields,
    )) as WireFields
    const row = await findUser(context, user.objectId)
    if (!row) throw refuse('objectNotFound')
    return {
      ...encodeUser(context, row),
      objectId: user.objectId,
      sessionToken: String(sessionToken),
    }
  } catch (error) {
    // All of it or none: a name that is taken leaves no account without it behind.
    await removeUser(context, caller, user.objectId)
    throw error
  }
}
