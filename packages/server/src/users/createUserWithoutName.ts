import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { readUserFields } from './readUserFields.ts'
import { hasSignUpHooks, makeUserWithHooks } from './signUp.ts'
import { underSignUpRules } from './signUpRules.ts'
import { changeUser } from './updateUser.ts'
import { newUsername } from './usernames.ts'

/** Result of a sign-in that creates a missing account. */
export type SignedInAccount = { user: WireFields & { objectId: string; sessionToken: string }; isNew: boolean }

/** Creates a user without a chosen name, with the additions of hooks. `insert` creates the row and returns its id. */
export async function createUserWithoutName(
  context: Context,
  caller: Caller,
  insert: (username: string) => Promise<string>,
  /** Further user fields, for the hooks. */
  known: WireFields = {},
): Promise<void> {
  const username = newUsername()
  const make = async () => {
    if (!hasSignUpHooks(context)) return { objectId: await insert(username) }
    return makeUserWithHooks(context, caller, { ...known, username }, async (own) => {
      const objectId = await insert(username)
      const master = { ...caller, isMaster: true }
      if (Object.keys(own).length > 0) await changeUser(context, master, objectId, readUserFields(master, own))
      return { objectId }
    })
  }
  const email = typeof known.email === 'string' ? known.email : null
  await underSignUpRules(context, caller, email, make, ({ objectId }) => objectId)
}
