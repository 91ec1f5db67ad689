import { CountersignError, refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import { encodeAcl } from '../classes/acl.ts'
import { type Change, initialValue, readRelated, relationsOf, typesOf } from '../classes/Change.ts'
import { tableOf } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import { joinTableName, readNewId } from '../classes/names.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { applyHookChanges, findHooks, hookResponse, runAfter, runBefore, setBy } from '../hooks/runHooks.ts'
import { hashToken } from '../keys/secrets.ts'
import { readEmail } from './email/readEmail.ts'
import { sendVerification } from './email/verifyEmail.ts'
import { checkPassword, hashPassword } from './passwords/hashPassword.ts'
import { stillPassword } from './passwords/logIn.ts'
import { checkPasswordPolicy, readPassword } from './passwords/passwordPolicy.ts'
import { readUserFields, type UserFields } from './readUserFields.ts'
import { newAccountOpensAtOnce } from './sessions/admit.ts'
import { createSession, draftOpening } from './sessions/createSession.ts'
import { requireMethod, underSignUpRules } from './signUpRules.ts'
import { decodeUser, describeUser, findUser, isLockedSql, withoutPassword } from './UserRow.ts'
import { nameKey, readUsername, refuseForeignName } from './usernames.ts'

export type SignedUp = { objectId: string; createdAt: string; sessionToken?: string } & WireFields

const createdWith = { action: 'signup', authProvider: 'password' } as const

/** Additional providers that were checked for the new account, and are set up with it. */
type SetUp = { additional: readonly string[]; keep: (userId: string) => Promise<void> }

/**
 * Creates an account and opens its first session. One statement does both if nothing can be required of the new
 * account. Otherwise the session comes last, after roles of an invitation and of hooks; an account that lacks a
 * required proof has none yet.
 */
export async function signUp(context: Context, caller: Caller, input: WireChanges, setUp?: SetUp): Promise<SignedUp> {
  if (Object.hasOwn(input, 'id')) throw new CountersignError('InvalidKeyName', 'id is an invalid field name.')
  const { objectId: chosen, ...sent } = input
  const objectId = readNewId(context.config.allowCustomObjectId, chosen, '_User')
  if (!caller.isMaster) requireMethod(context, 'password')
  const fields = readUserFields(caller, sent)
  const username = readUsername(fields.username)
  const password = readPassword(fields.password)
  const email = fields.email === undefined || fields.email === null ? null : readEmail(fields.email)
  checkPasswordPolicy(context, password, username)
  if (chosen !== undefined) await refuseNamedId(context, caller, objectId)
  await refuseForeignName(context, caller, username, { email })
  const taken = { username: nameKey(username), email: email && nameKey(email) }
  const requestKey = caller.requestId ? hashToken(caller.requestId).toString('base64') : null

  // Looked up before the costly hash; the unique indexes have the last word on races.
  const early = await findTaken(context, taken)
  if (early) return (await repeated(context, caller, requestKey, password)) ?? refuseTaken(early)
  const isPlain = setUp === undefined && caller.invitation === undefined && !hasSignUpHooks(context)
  const make = () => {
    if (!hasSignUpHooks(context)) return makeUser(context, caller, objectId, fields, requestKey, isPlain)
    return makeUserWithHooks(context, caller, describeUser(undefined, fields), (own) => {
      // Forbidden fields were rejected before; fields added by hooks are the operator's.
      const given = readUserFields({ ...caller, isMaster: true }, applyHookChanges(sent, own))
      return makeUser(context, caller, objectId, given, requestKey, isPlain)
    })
  }
  let made: SignedUp
  try {
    made = await underSignUpRules(context, caller, email, make, (account) => account.objectId)
  } catch (error) {
    // The same request was quicker. Inside a transaction, which has failed with the insert, nothing more can be read.
    const again =
      isTaken(error) && !context.db.inside() ? await repeated(context, caller, requestKey, password) : undefined
    if (again) return again
    throw error
  }
  if (made.sessionToken !== undefined) return made
  await setUp?.keep(objectId)
  return { ...made, ...(await openFirst(context, caller, objectId, { additional: setUp?.additional })) }
}

/** First session of an account, unless it lacks a required proof: its next sign-in says so. */
async function openFirst(
  context: Context,
  caller: Caller,
  userId: string,
  proven: { additional?: readonly string[] | undefined; while?: Fragment },
): Promise<{ sessionToken?: string }> {
  const opening = createSession(context, caller, userId, { ...proven, by: 'signUp', createdWith })
  return opening.then(
    ({ token }) => ({ sessionToken: token }),
    (refusal) => {
      const reason = refusal instanceof CountersignError ? refusal.reason : undefined
      if (reason === 'emailNotVerified' || reason === 'secondFactorSetUpRequired') return {}
      throw refusal
    },
  )
}

async function makeUser(
  context: Context,
  caller: Caller,
  objectId: string,
  fields: UserFields,
  requestKey: string | null,
  /** Nothing follows that could ask more of the account. */
  isPlain: boolean,
): Promise<SignedUp> {
  const { db, clock } = context
  const username = readUsername(fields.username)
  const password = readPassword(fields.password)
  const email = fields.email === undefined || fields.email === null ? null : readEmail(fields.email)
  await refuseForeignName(context, caller, username, { email })
  const taken = { username: nameKey(username), email: email && nameKey(email) }
  const schema = await context.classes.widen('_User', typesOf(fields.changes), {
    relations: relationsOf(fields.changes),
  })
  const now = clock.now()
  const acl = fields.ACL === undefined ? { _rperm: [], _wperm: [] } : encodeAcl(fields.ACL)
  const row: Record<string, unknown> = {
    objectId,
    createdAt: now,
    updatedAt: now,
    _rperm: withSelf(acl._rperm, objectId),
    _wperm: withSelf(acl._wperm, objectId),
    username,
    email,
    emailVerified: email === null ? null : (fields.emailVerified ?? false),
    _password_hash: await hashPassword(password),
    _username_key: taken.username,
    _email_key: taken.email,
    _sign_up_request: requestKey,
  }
  const nulls: string[] = []
  for (const change of fields.changes) {
    const value = change.path.length > 0 ? undefined : initialValue(change)
    if (change.path.length > 0)
      throw new CountersignError('InvalidKeyName', `Invalid field name: ${change.field}.${change.path.join('.')}.`)
    if (value === null) nulls.push(change.field)
    const type = schema.fields.get(change.field)?.type
    if (value !== undefined && value !== null && type) row[change.field] = columns[type].encode(value)
  }
  row._nulls = nulls

  const user = sql`
    insert into "_User" (${sql.join(Object.keys(row).map((name) => sql.id(name)))})
    values (${sql.join(Object.values(row))})`
  const opensAtOnce = isPlain && newAccountOpensAtOnce(context, email !== null && row.emailVerified !== true)
  const session = opensAtOnce
    ? draftOpening(context, caller, { by: 'signUp', createdWith }, () => sql`${user} returning "objectId" as "user"`)
    : undefined
  try {
    const insert = () => db.query(session ? sql`with ${session.ctes} select from held` : user)
    const joins = joinsOf(objectId, fields.changes)
    if (joins.length === 0) await insert()
    else {
      await db.transaction(async () => {
        await insert()
        for (const join of joins) await db.query(join)
      })
    }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    if (isUniqueViolation(error, '_User_pkey'))
      throw new CountersignError('DuplicateValue', 'A duplicate value for a field with unique values was provided')
    refuseTaken(isUniqueViolation(error, '_User_email') ? 'email' : 'username')
  }
  db.reportChange('_User', '_Session')
  if (email !== null && !row.emailVerified)
    sendVerification(context, caller, { objectId, email, username, language: row.language })
  return { objectId, createdAt: now.toISOString(), ...(session && { sessionToken: session.token }) }
}

/** Initial relations of a new user. */
function joinsOf(objectId: string, changes: Change[]): Fragment[] {
  return [...readRelated(changes)].map(
    ([field, { added }]) =>
      sql`
        insert into ${sql.table(joinTableName('_User', field))} ("owningId", "relatedId")
        select ${objectId}, unnest(${added}::text[])`,
  )
}

/** A user can never be shut out of the own account. */
export function withSelf(entities: string[], objectId: string): string[] {
  return entities.includes(objectId) ? entities : [...entities, objectId]
}

type Taken = 'username' | 'email'

async function findTaken({ db }: Context, key: { username: string; email: string | null }): Promise<Taken | undefined> {
  const rows = await db.query<{ _username_key: string }>(sql.named('find-taken')`
    select "_username_key" from "_User" where "_username_key" = ${key.username} or "_email_key" = ${key.email}`)
  if (rows.length === 0) return undefined
  return rows.some((row) => row._username_key === key.username) ? 'username' : 'email'
}

function refuseTaken(taken: Taken): never {
  throw refuse(taken === 'username' ? 'usernameTaken' : 'emailTaken')
}

const isTaken = (error: unknown) =>
  error instanceof CountersignError && (error.reason === 'usernameTaken' || error.reason === 'emailTaken')

/**
 * A repeated sign-up whose response was lost: the account is the caller's own. The request id alone would not prove
 * that, so the password must match too.
 */
async function repeated(
  context: Context,
  caller: Caller,
  requestKey: string | null,
  password: string,
): Promise<SignedUp | undefined> {
  if (requestKey === null) return undefined
  const recent = new Date(context.clock.now().getTime() - 10 * 60_000)
  const [row] = await context.db.query<{ objectId: string; createdAt: Date; _password_hash: string }>(sql`
    select "objectId", "createdAt", "_password_hash" from "_User" u
    where "_sign_up_request" = ${requestKey} and "createdAt" > ${recent} and not ${isLockedSql}`)
  if (!row || !(await checkPassword(row._password_hash, password))) return undefined
  const opened = await openFirst(context, caller, row.objectId, { while: stillPassword(row) })
  return { objectId: row.objectId, createdAt: row.createdAt.toISOString(), ...opened }
}

const className = '_User'

const names = ['beforeSave', 'beforeSignUp', 'afterSave', 'afterSignUp'] as const

const none: ReadonlySet<string> = new Set()

export function hasSignUpHooks(context: Context): boolean {
  return names.some((name) => findHooks(context, name, className) !== undefined)
}

/** Makes a user with the application's hooks around it, in one transaction. `make` gets the changes that are theirs. */
export function makeUserWithHooks<Made extends WireFields & { objectId: string }>(
  context: Context,
  caller: Caller,
  object: WireFields,
  make: (own: WireChanges) => Promise<Made>,
): Promise<Made> {
  const run = async (hook: 'beforeSave' | 'beforeSignUp', known: WireFields) =>
    runBefore(findHooks(context, hook, className) ?? [], caller, { hook, className, object: known })
  return context.db.transaction(async () => {
    const saving = await run('beforeSave', object)
    const own = { ...saving, ...(await run('beforeSignUp', { ...object, ...setBy(saving) })) }
    const made = await make(own)
    const row = await findUser(context, made.objectId)
    if (!row) throw refuse('objectNotFound')
    // Fields that this very transaction added are not known to be read yet.
    const user = {
      ...withoutPassword({ ...object, ...setBy(own) }),
      ...decodeUser(context.classes.get(className), row),
    }
    const shown = { ...hookResponse(context, own, none), ...made }
    await runAfter(context, caller, { hook: 'afterSave', className, object: user }, shown)
    await runAfter(context, caller, { hook: 'afterSignUp', className, object: user })
    return shown
  })
}

/** Classes that one statement looks through. */
const classesAtOnce = 100

/**
 * Rejects a chosen id that access lists, roles or permissions already name: a stranger would get its rights. The
 * database rejects ids of deleted accounts for every caller. Entries that may write and not read have no index and are
 * not checked.
 */
async function refuseNamedId(context: Context, caller: Caller, objectId: string): Promise<void> {
  if (!caller.isMaster) await withFreshClasses(context.classes, () => refuseNamed(context, objectId))
}

async function refuseNamed({ db, classes }: Context, objectId: string): Promise<void> {
  const listed = classes.list().filter(({ source }) => !source)
  const isPermitted = listed.some(({ permissions }) =>
    Object.values(permissions ?? {}).some((rights) => Object.hasOwn(Object(rights), objectId)),
  )
  if (isPermitted) throw taken()
  const role = await db.query(sql`select 1 from "_Join:users:_Role" where "relatedId" = ${objectId} limit 1`)
  if (role.length > 0) throw taken()
  const guarded = listed.filter(({ className }) => className !== '_Session')
  for (let at = 0; at < guarded.length; at += classesAtOnce) {
    const parts = guarded
      .slice(at, at + classesAtOnce)
      .map((schema) => sql`(select 1 from ${tableOf(schema)} where "_rperm" @> ${[objectId]}::text[] limit 1)`)
    if ((await db.query(sql`${sql.join(parts, ' union all ')} limit 1`)).length > 0) throw taken()
  }
}

/** Error for an id that is taken, without revealing what names it. */
function taken(): CountersignError {
  return new CountersignError('DuplicateValue', 'A duplicate value for a field with unique values was provided')
}
