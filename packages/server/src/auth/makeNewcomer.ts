import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { hasSignUpHooks, makeUserWithHooks } from '../users/makeUserWithHooks.ts'
import { newUsername } from '../users/newUsername.ts'
import { readUserFields } from '../users/readUserFields.ts'
import { changeUser } from '../users/updateUser.ts'

/** Makes a user who chose no name, with what hooks add. `insert` makes the row and answers its id. */
export async function makeNewcomer(
  context: Context,
  caller: Caller,
  insert: (username: string) => Promise<string>,
): Promise<void> {
  const username = newUsername()
  if (!hasSignUpHooks(context)) return void (await insert(username))
  await makeUserWithHooks(context, caller, { username }, async (own) => {
    const objectId = await insert(username)
    const master = { ...caller, isMaster: true }
    if (Object.keys(own).length > 0) await changeUser(context, master, objectId, readUserFields(master, own))
    return { objectId }
  })
}
