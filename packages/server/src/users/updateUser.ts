import { CountersignError, refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import { encodeAcl } from '../classes/acl.ts'
import { relationsOf, typesOf } from '../classes/Change.ts'
import { compileChanges, echoOf, writeRelated } from '../classes/compileChanges.ts'
import { columnNames } from '../classes/decodeRow.ts'
import { fillFileUrls } from '../classes/fileUrls.ts'
import { withinSize } from '../classes/withinSize.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { applyHookChanges, findHooks, hasSaveHooks, hookResponse, runAfter, runBefore } from '../hooks/runHooks.ts'
import { keepHidden } from './accountDeletion.ts'
import { recordActivity } from './activity.ts'
import { findBegin, findFormerAddress, offerEmailUndo } from './email/emailChanges.ts'
import { notifyOwner } from './email/notifyOwner.ts'
import { readEmail } from './email/readEmail.ts'
import { sendVerification } from './email/verifyEmail.ts'
import { changeHolder } from './holders/changeHolder.ts'
import { setAsidePassword } from './holders/setAside.ts'
import { hashPassword } from './passwords/hashPassword.ts'
import { checkPasswordPolicy, readPassword } from './passwords/passwordPolicy.ts'
import { readUserFields, type UserFields } from './readUserFields.ts'
import { makeSensitiveChange, refuseUndeployed, requireFreshProof, type SensitiveChange } from './sensitiveChanges.ts'
import { createSession } from './sessions/createSession.ts'
import { endSessions } from './sessions/sessions.ts'
import { withSelf } from './signUp.ts'
import { requireMethod } from './signUpRules.ts'
import { decodeUser, describeUser, findUser, isLocked, lockUsers, type UserRow, withoutPassword } from './UserRow.ts'
import { nameKey, readUsername, refuseForeignName } from './usernames.ts'

const className = '_User'

/** Writes changes into a user: the user itself, or the master key. All of them or none. */
export async function updateUser(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireChanges,
  /** The account was made by this very request: there is nothing in it that a proof could guard, and no session. */
  isNew = false,
): Promise<WireFields> {
  if (!caller.isMaster && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', `Cannot modify user ${objectId.slice(0, 64)}.`)
  }
  const { objectId: _same, ...sent } = input
  const { wanted, sensitive } = await sortOut(context, caller, objectId, sent)
  if (isNew) await refuseUndeployed(context, sensitive, objectId)
  else for (const change of sensitive) await requireFreshProof(context, caller, change, objectId)
  const how = { sensitive, isNew }
  if (!hasSaveHooks(context, className))
    return changeUser(context, caller, objectId, readUserFields(caller, wanted), how)
  return saveUserWithHooks(context, caller, objectId, wanted, (given) =>
    changeUser(context, caller, objectId, given, how),
  )
}

/**
 * Finds sensitive changes in the input. An unchanged name or address is left out: legacy clients send it back with
 * other changes, and it must not undo a concurrent change.
 */
async function sortOut(
  context: Context,
  caller: Caller,
  objectId: string,
  sent: WireChanges,
): Promise<{ wanted: WireChanges; sensitive: SensitiveChange[] }> {
  const fields = readUserFields(caller, sent)
  if (fields.username === undefined && fields.email === undefined && fields.password === undefined)
    return { wanted: sent, sensitive: [] }
  const [user] = await context.db.query<{
    username: string
    email: string | null
    names: boolean
  }>(sql`
    select u.username, u.email, u."_password_hash" is not null or exists (
      select from countersign.recovery_codes where "user" = u."objectId" and used is null) as names
    from "_User" u
    where u."objectId" = ${objectId}`)
  if (!user) throw refuse('objectNotFound')
  const { username, email, ...others } = sent
  const wanted = { ...others }
  const sensitive: SensitiveChange[] = []
  if (fields.password !== undefined && !caller.isMaster) requireMethod(context, 'password')
  if (fields.password !== undefined) sensitive.push('setPassword')
  if (fields.email !== undefined && fields.email !== user.email) {
    if (email !== undefined) wanted.email = email
    sensitive.push('changeEmail')
  }
  if (fields.username !== undefined && fields.username !== user.username) {
    if (username !== undefined) wanted.username = username
    // The name of an account without a password signs nobody in.
    if (user.names) sensitive.push('changeUsername')
  }
  return { wanted, sensitive }
}

/** The change itself, for fields that were checked already; with what of it is sensitive. */
export async function changeUser(
  context: Context,
  caller: Caller,
  objectId: string,
  fields: UserFields,
  { sensitive = [], isNew = false }: { sensitive?: SensitiveChange[]; isNew?: boolean } = {},
): Promise<WireFields> {
  const sets = await compileOwnFields(context, caller, objectId, fields)
  const schema = await context.classes.widen('_User', typesOf(fields.changes), {
    relations: relationsOf(fields.changes),
  })

  // One statement is a transaction of its own; only a name, an address or a password has more to do.
  const { username, email, password, ACL } = fields
  const alone = [username, email, password, ACL].every((value) => value === undefined)
  const bounded = () => withinSize(context, caller.isMaster, { schema, objectId }, fields.changes, change)
  if (sensitive.length > 0 && !isNew) return makeSensitiveChange(context, caller, sensitive, objectId, bounded)
  return alone ? bounded() : context.db.transaction(bounded)

  async function change(): Promise<WireFields> {
    if (email === null && username === undefined) await keepAddressOfName(context, caller, objectId)
    const former = fields.email === undefined ? undefined : await findFormerAddress(context, objectId)
    // The caller has shown a session and not the password, which may be somebody else's.
    if (password !== undefined && !isNew && !caller.isMaster) await setAsidePassword(context, objectId)
    const row = await write()
    if (!row) throw refuse('objectNotFound')
    if (username !== undefined) await refuseForeignName(context, caller, row.username, row)
    context.db.afterCommit(() => context.sessionCache.forgetUser(objectId))
    if (isLocked(row)) await endSessions(context, objectId, null)
    if (fields.ACL !== undefined) await keepHidden(context, objectId)
    const after = fillFileUrls(context, schema, decodeUser(schema, row))
    const answer: WireFields = { updatedAt: row.updatedAt.toISOString(), ...echoOf(fields.changes, after) }
    for (const name of fields.derived) answer[name] = after[name] ?? null
    if (username === undefined && typeof email === 'string' && row.username === email) answer.username = email
    if (fields.email !== undefined) await recordActivity(context, caller, objectId, 'changeEmail')
    const isLost = former && (row.email === null || nameKey(row.email) !== former.key)
    if (isLost) await offerEmailUndo(context, objectId, former, caller.session?.objectId)
    // Links that went to the former address open nothing any more.
    if (fields.email !== undefined)
      await changeHolder(context, objectId, email === null ? 'email removal' : 'email change')
    if (typeof fields.email === 'string') {
      const { email, username, emailVerified } = row
      if (email !== null && !emailVerified)
        context.db.afterCommit(() =>
          sendVerification(context, caller, { objectId, email, username, language: row.language }),
        )
    }
    if (fields.password === undefined || isNew) return answer
    await recordActivity(context, caller, objectId, 'changePassword')
    notifyOwner(context, objectId, (say) => say('passwordChanged'))
    const sessionToken = await replaceSessions(context, caller, objectId)
    return sessionToken ? { ...answer, sessionToken } : answer
  }

  async function write(): Promise<UserRow | undefined> {
    const names = [...columnNames(schema), '_password_hash', '_anonymous'].map((name) => sql.id(name))
    try {
      const update = sql`
        update "_User" set ${sql.join([...sets, ...compileChanges(schema, fields.changes)])}
        where "objectId" = ${objectId}
        returning ${sql.join(names)}`
      const [row] = await context.db.query<UserRow>(writeRelated(schema, fields.changes, update))
      context.db.reportChange('_User')
      return row
    } catch (error) {
      if (isUniqueViolation(error, '_User_username')) {
        throw refuse('usernameTaken')
      }
      if (isUniqueViolation(error, '_User_email')) {
        throw refuse('emailTaken')
      }
      throw error
    }
  }
}

async function compileOwnFields(
  context: Context,
  caller: Caller,
  objectId: string,
  fields: UserFields,
): Promise<Fragment[]> {
  const sets = [sql`"updatedAt" = ${context.clock.now()}`]
  if (fields.username !== undefined) {
    const username = readUsername(fields.username)
    sets.push(sql`"username" = ${username}`, sql`"_username_key" = ${nameKey(username)}`)
  }
  if (fields.email === null)
    sets.push(
      sql`"email" = null`,
      sql`"_email_key" = null`,
      sql`"emailVerified" = null`,
      sql`"_email_added" = null`,
      sql`"_verified_outside" = null`,
    )
  else if (fields.email !== undefined) {
    const email = readEmail(fields.email)
    const same = sql`"_email_key" is not distinct from ${nameKey(email)}`
    // A guest who takes a password with it signs up: the account is made with this address.
    const isGuest = sql`"_anonymous" is not null and "_password_hash" is null`
    const signsUp = fields.password === undefined ? sql`false` : isGuest
    if (fields.username === undefined) sets.push(...followAddress(email))
    // The same address in another spelling stays verified.
    sets.push(
      sql`"email" = ${email}`,
      sql`"_email_key" = ${nameKey(email)}`,
      sql`"emailVerified" = case when ${same} then "emailVerified" else false end`,
      sql`"_verified_outside" = case when ${same} then "_verified_outside" end`,
      sql`"_email_added" = case when ${same} then "_email_added"
        when ${signsUp} then null
        else ${context.clock.now()}::timestamptz end`,
    )
  }
  if (fields.emailVerified !== undefined && fields.email === undefined)
    // The operator's word stands for the holder's.
    sets.push(sql`"emailVerified" = ${fields.emailVerified}`, sql`"_verified_outside" = null`)
  if (fields.ACL !== undefined) {
    const acl = encodeAcl(fields.ACL)
    // With the master key a user may be locked out on purpose.
    const keep = (entities: string[]) => (caller.isMaster ? entities : withSelf(entities, objectId))
    sets.push(sql`"_rperm" = ${keep(acl._rperm)}`, sql`"_wperm" = ${keep(acl._wperm)}`)
  }
  if (fields.password !== undefined) {
    const password = readPassword(fields.password)
    checkPasswordPolicy(
      context,
      password,
      typeof fields.username === 'string' ? fields.username : String(caller.session?.user.username ?? ''),
    )
    // A user with a password is no longer a guest.
    sets.push(sql`"_password_hash" = ${await hashPassword(password)}`, sql`"_anonymous" = null`)
  }
  return sets
}

/** A name that is the account's own address goes with it: nobody keeps the name of an address that they gave up. */
function followAddress(email: string): Fragment[] {
  const isName = sql`"_username_key" = "_email_key"`
  return [
    sql`"username" = case when ${isName} then ${email} else "username" end`,
    sql`"_username_key" = case when ${isName} then ${nameKey(email)} else "_username_key" end`,
  ]
}

async function keepAddressOfName({ db }: Context, caller: Caller, objectId: string): Promise<void> {
  if (caller.isMaster) return
  const rows = await db.query(
    sql`select 1 from "_User" where "objectId" = ${objectId} and "_username_key" = "_email_key" for update`,
  )
  if (rows.length > 0) throw refuse('usernameIsThisAddress')
}

/** A new password ends the sessions that the old one opened, the links that would set another, and mailed codes. */
export async function replaceSessions(context: Context, caller: Caller, userId: string): Promise<string | undefined> {
  const keepsSessions = !context.config.revokeSessionOnPasswordReset
  const began = await findBegin(context, caller.session?.objectId)
  await changeHolder(context, userId, 'password change', { keepsSessions, gives: ['password'] })
  if (caller.isMaster || !caller.session) return undefined
  const createdWith = { action: 'login', authProvider: 'password' } as const
  return (await createSession(context, caller, userId, { by: 'newPassword', createdWith, began })).token
}

/** A change of a user with the application's hooks around it: what they write before it is kept or undone with it. */
function saveUserWithHooks(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireChanges,
  change: (fields: UserFields) => Promise<WireFields>,
): Promise<WireFields> {
  return context.db.transaction(async () => {
    await lockUsers(context, [objectId])
    const original = await getUser(context, objectId)
    const event = { className, original }
    const object = describeUser(original, readUserFields(caller, input))
    const handlers = findHooks(context, 'beforeSave', className) ?? []
    const own = await runBefore(handlers, caller, { ...event, hook: 'beforeSave', object })
    // Forbidden fields were rejected before; fields added by hooks are the operator's.
    const fields = readUserFields({ ...caller, isMaster: true }, applyHookChanges(input, own))
    const answer = await change(fields)
    const shown = { ...hookResponse(context, own, new Set()), ...answer }
    // Fields that this very transaction added are not known to be read yet.
    const saved = { ...withoutPassword(describeUser(original, fields)), ...(await getUser(context, objectId)) }
    await runAfter(context, caller, { ...event, hook: 'afterSave', object: saved }, shown)
    return shown
  })
}

async function getUser(context: Context, objectId: string): Promise<WireFields> {
  const row = await findUser(context, objectId)
  if (!row) throw refuse('objectNotFound')
  return decodeUser(context.classes.get(className), row)
}
