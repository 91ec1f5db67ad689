import { CountersignError, refuse, type WireChanges, type WireValue } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { hashToken } from '../../keys/secrets.ts'
import { checkNewFields } from '../../permissions/checkWrite.ts'
import { decide } from '../../permissions/decide.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { removeUser, restoreLocked } from '../../users/accountDeletion.ts'
import { actAs } from '../../users/actAs.ts'
import { createUserWithoutName, type SignedInAccount } from '../../users/createUserWithoutName.ts'
import { createSession } from '../../users/sessions/createSession.ts'
import { encodeUser, findUser, type UserRow, userColumns } from '../../users/UserRow.ts'
import { updateUser } from '../../users/updateUser.ts'
import { nameKey } from '../../users/usernames.ts'
import { readProviders, withIdentities } from '../providers/identities.ts'
import type { GivenIdentity } from '../providers/runAdapter.ts'
import { proveAdditional, signInWithProviders } from '../providers/signInWithProviders.ts'
import { signInOrSignUp } from '../wallets/signInWithWallet.ts'
import { asOlderClientsKnowIt, proveByAuthData } from './proveByAuthData.ts'
import { echoAuthData, readAnonymousId, readAuthData } from './readAuthData.ts'

/** Signs the owner of a wallet in by `id`, `signature` and `data`; sign-up and sign-in are one and the same request. */
export async function signInByAuthData(context: Context, caller: Caller, input: WireChanges): Promise<SignedInAccount> {
  const { authData, restoreAccount, ...fields } = input
  const restores = restoreAccount === true
  const [given, ...more] = readAuthData(authData as WireValue)
  const anonymousId = readAnonymousId(context, authData as WireValue)
  const providers = readProviders(context, authData as WireValue).given
  const named = providers.some(({ provider }) => provider.policy !== 'additional')
  if (named && !given) {
    // A session that comes along has no part in this: a sign-in is for the owner of the identity.
    const { session: _left, ...guest } = caller
    return signInWithProviders(context, guest, providers, restores, fillInBy(context, guest, fields))
  }
  if (typeof anonymousId === 'string' && !given)
    return signInAnonymously(context, caller, anonymousId, fields, restores, providers)
  if (!given || named || more.length > 0)
    throw new CountersignError('UnsupportedService', 'Sign in with one wallet at a time.')
  // A session that comes along has no part in this: a sign-in is for the holder of the wallet.
  const { session: _left, ...guest } = caller
  const proof = await proveByAuthData(context, guest, 'signIn', given)
  const fillIn = fillInBy(context, guest, fields, proof.isRelayable)
  // Legacy clients cannot handle a wallet that was unlinked elsewhere: it opens a new account, as before.
  const wishes = { restoreAccount: restores, newAccount: !restores }
  const { user, isNew } = await signInOrSignUp(context, guest, proof, given.provider, wishes, fillIn).catch(
    asOlderClientsKnowIt,
  )
  const shown = { ...user, authData: echoAuthData(user, false) }
  return { user: await withIdentities(context, guest, shown), isNew }
}

/** Signs a guest in by the id that its client drew, and makes the user at the first time. */
async function signInAnonymously(
  context: Context,
  caller: Caller,
  id: string,
  fields: WireChanges,
  restores: boolean,
  additional: GivenIdentity[],
): Promise<SignedInAccount> {
  // A session that comes along has no part in this: the account is that of the id.
  const { session: _left, ...guest } = caller
  const key = hashToken(id)
  const known = await open(context, guest, key, false, restores, additional)
  if (known) return { user: { ...known, authData: echoAuthData(known, true) }, isNew: false }
  decide(context.classes.get('_User'), await accessOf(context, guest), 'create')
  let made: string | undefined
  const create = async (username: string) => {
    made = await createAnonymousUser(context, key, username)
    return made
  }
  const isNew = await createUserWithoutName(context, guest, create).then(
    () => true,
    (error) => {
      if (isUniqueViolation(error, '_User_anonymous')) return false
      throw error
    },
  )
  if (isNew && made !== undefined) await fillInBy(context, guest, fields)?.(made)
  // A password that came along has made it a user like any other.
  const user =
    isNew && made !== undefined && fields.password !== undefined
      ? await openNew(context, guest, made)
      : await open(context, guest, key, isNew, restores, additional)
  if (!user) throw refuse('accountLocked')
  const authData = echoAuthData(user, fields.password === undefined || !isNew)
  return { user: Object.keys(authData).length > 0 ? { ...user, authData } : user, isNew }
}

async function open(
  context: Context,
  guest: Caller,
  key: Buffer,
  isNew: boolean,
  restores: boolean,
  given: GivenIdentity[],
): Promise<SignedInAccount['user'] | undefined> {
  const schema = context.classes.get('_User')
  const [found] = await context.db.query<UserRow>(
    sql`select ${userColumns(schema, 'u')} from "_User" u where u."_anonymous" = ${key}`,
  )
  if (!found) return undefined
  // Before an account is restored: who lacks the additional provider does not bring it back.
  const additional = await proveAdditional(context, guest, found, given)
  const proven = { by: 'guestId', createdWith: { action: 'login', authProvider: 'anonymous' }, additional } as const
  const row = await restoreLocked(context, guest, found, { isWanted: restores, first: proven })
  if (!row) return undefined
  if (!isNew) await runBeforeSignIn(context, guest, encodeUser(context, row))
  const held = { while: sql`u."_anonymous" = ${key}` }
  const { token } = await createSession(context, guest, row.objectId, { ...proven, ...held })
  const user = { ...encodeUser(context, row), objectId: row.objectId, sessionToken: token }
  if (!isNew) await runAfter(context, guest, { hook: 'afterSignIn', className: '_User', object: user })
  return user
}

async function openNew(context: Context, guest: Caller, userId: string): Promise<SignedInAccount['user'] | undefined> {
  const createdWith = { action: 'signup', authProvider: 'password' } as const
  const { token } = await createSession(context, guest, userId, { by: 'signUp', createdWith })
  const row = await findUser(context, userId)
  return row && { ...encodeUser(context, row), objectId: userId, sessionToken: token }
}

/** Read and written by nobody else, as any new user. */
async function createAnonymousUser({ db, clock }: Context, key: Buffer, username: string): Promise<string> {
  const objectId = newObjectId()
  const now = sql.param(clock.now())
  const own = sql.param([objectId])
  await db.query(sql`
    insert into "_User"
      ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key", "_anonymous")
    values (${objectId}, ${now}, ${now}, ${own}, ${own}, ${username}, ${nameKey(username)}, ${key})`)
  db.reportChange('_User')
  return objectId
}

/**
 * Writes fields sent with the first sign-in into the new account, before it has a session; a later sign-in changes
 * nothing. `undefined` without such fields.
 */
function fillInBy(context: Context, guest: Caller, fields: WireChanges, isRelayable = false) {
  if (Object.keys(fields).length === 0) return undefined
  return async (userId: string): Promise<void> => {
    const row = await findUser(context, userId)
    if (!row) throw refuse('objectNotFound')
    const owner = actAs(context, guest, row)
    try {
      await checkNewFields(context, owner, '_User', fields)
      // A password or an address beside a relayed signature would be the relay's own.
      await updateUser(context, owner, userId, fields, !isRelayable)
    } catch (error) {
      // All of it or none: a name that is taken leaves no account without it behind.
      await removeUser(context, guest, userId)
      throw error
    }
  }
}
