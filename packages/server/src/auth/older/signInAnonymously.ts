import { refuse, type WireChanges } from '@countersign/protocol'
import { newObjectId } from '../../classes/newObjectId.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { hashToken } from '../../context/newToken.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { runAfter } from '../../hooks/runAfter.ts'
import { runBeforeSignIn } from '../../hooks/runBeforeSignIn.ts'
import { decide } from '../../permissions/decide.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { createSession } from '../../users/createSession.ts'
import { nameKey } from '../../users/nameKey.ts'
import { encodeUser, type UserRow, userColumns } from '../../users/UserRow.ts'
import { makeNewcomer } from '../makeNewcomer.ts'
import type { OpenedAccount } from '../openAccount.ts'
import { echoAuthData } from './echoAuthData.ts'
import { fillInAccount } from './fillInAccount.ts'

/** Signs a guest in by the id that its client drew, and makes the user at the first time. */
export async function signInAnonymously(
  context: Context,
  caller: Caller,
  id: string,
  fields: WireChanges,
  restores: boolean,
): Promise<OpenedAccount> {
  // A session that comes along has no part in this: the account is that of the id.
  const { session: _left, ...guest } = caller
  const key = hashToken(id)
  const known = await open(context, guest, key, false, restores)
  if (known) return { user: { ...known, authData: echoAuthData(known, true) }, isNew: false }
  decide(context.classes.get('_User'), await accessOf(context, guest), 'create')
  const isNew = await makeNewcomer(context, guest, (username) => createAnonymousUser(context, key, username)).then(
    () => true,
    (error) => {
      if (isUniqueViolation(error, '_User_anonymous')) return false
      throw error
    },
  )
  const user = await open(context, guest, key, isNew, restores)
  if (!user) throw refuse('accountLocked')
  const filled = isNew && Object.keys(fields).length > 0 ? await fillInAccount(context, guest, user, fields) : user
  // A password that came along has made it a user like any other.
  const authData = echoAuthData(filled, fields.password === undefined)
  return { user: Object.keys(authData).length > 0 ? { ...filled, authData } : filled, isNew }
}

async function open(
  context: Context,
  guest: Caller,
  key: Buffer,
  isNew: boolean,
  restores: boolean,
): Promise<OpenedAccount['user'] | undefined> {
  const schema = context.classes.get('_User')
  const [found] = await context.db.query<UserRow>({
    text: `select ${userColumns(schema, 'u')} from "_User" u where u."_anonymous" = $1`,
    values: [key],
  })
  const row = found && (await restoreLocked(context, guest, found, restores))
  if (!row) return undefined
  if (!isNew) await runBeforeSignIn(context, guest, encodeUser(context, row))
  const createdWith = { action: 'login', authProvider: 'anonymous' } as const
  const still = {
    text: 'select from "_User" where "objectId" = $1 and "_anonymous" = $2',
    values: [row.objectId, key],
  }
  const { token } = await createSession(context, guest, row.objectId, createdWith, { still })
  const user = { ...encodeUser(context, row), objectId: row.objectId, sessionToken: token }
  if (!isNew) await runAfter(context, guest, { hook: 'afterSignIn', className: '_User', object: user })
  return user
}

/** Read and written by nobody else, as any new user. */
async function createAnonymousUser({ db, clock }: Context, key: Buffer, username: string): Promise<string> {
  const objectId = newObjectId()
  await db.query({
    text: `insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key", "_anonymous") values ($1, $2, $2, $3, $3, $4, $5, $6)`,
    values: [objectId, clock.now(), [objectId], username, nameKey(username), key],
  })
  return objectId
}
