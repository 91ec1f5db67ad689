import { CountersignError, type WireFields } from '@countersign/protocol'
import { newObjectId } from '../classes/newObjectId.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { createSession } from '../users/createSession.ts'
import { findUser } from '../users/findUser.ts'
import { nameKey } from '../users/nameKey.ts'
import { newUsername } from '../users/newUsername.ts'
import { isLocked } from '../users/proveByPassword.ts'
import { decodeUser, type UserRow, userColumns } from '../users/UserRow.ts'
import { accountKey } from './Account.ts'
import { addWallet } from './addWallet.ts'
import type { Proof } from './proveAccount.ts'

export type OpenedAccount = { user: WireFields & { objectId: string; sessionToken: string }; isNew: boolean }

/** Signs the owner of a proven account in; makes the user where there is none yet. */
export async function openAccount(
  context: Context,
  caller: Caller,
  proof: Proof,
  authProvider: string,
): Promise<OpenedAccount> {
  const known = await findOwner(context, proof)
  if (known) return { user: await signIn(known), isNew: false }
  try {
    const made = await context.db.transaction(() => createWalletUser(context, caller, proof))
    return { user: await signIn(made), isNew: true }
  } catch (error) {
    if (!isUniqueViolation(error, 'wallets_pkey')) throw error
    // Two first sign-ins of one account at once: the other one made the user.
    const winner = await findOwner(context, proof)
    if (!winner) throw error
    return { user: await signIn(winner), isNew: false }
  }

  async function signIn(row: UserRow): Promise<OpenedAccount['user']> {
    if (isLocked(row)) throw new CountersignError('ObjectNotFound', 'This account is locked.', { status: 401 })
    const { message, signature } = proof
    const session = await createSession(
      context,
      caller,
      row.objectId,
      { action: 'login', authProvider },
      { message, signature },
    )
    const user = decodeUser(context.classes.get('_User'), row)
    return { ...user, objectId: row.objectId, sessionToken: session.token }
  }
}

async function findOwner({ db, classes, clock }: Context, { account }: Proof): Promise<UserRow | undefined> {
  const schema = classes.get('_User')
  const [row] = await db.query<UserRow>({
    name: `find-owner-${schema.version}`,
    text: `with used as (update countersign.wallets set last_used = $2 where key = $1 returning "user")
           select ${userColumns(schema, 'u')} from used join "_User" u on u."objectId" = used."user"`,
    values: [accountKey(account), clock.now()],
  })
  return row
}

/** R20: a user who comes by wallet may be read and written by nobody else; no e-mail address is invented. */
async function createWalletUser(context: Context, caller: Caller, proof: Proof): Promise<UserRow> {
  const { db, clock } = context
  const objectId = newObjectId()
  const username = newUsername()
  await db.query({
    text: `insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key") values ($1, $2, $2, $3, $3, $4, $5)`,
    values: [objectId, clock.now(), [objectId], username, nameKey(username)],
  })
  await addWallet(context, caller, objectId, proof.account)
  const row = await findUser(context, objectId)
  if (!row) throw new Error('the user that was just made is not there')
  return row
}
