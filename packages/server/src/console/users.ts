import type { Readable } from 'node:stream'
import {
  type ConsoleUserRecord,
  CountersignError,
  type EndpointTypes,
  refuse,
  type UserStatus,
  type WireFields,
} from '@countersign/protocol'
import { listSignInMethodsOf } from '../auth/signInMethods.ts'
import { tableOf } from '../classes/ClassSchema.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import { isSystemClass } from '../classes/names.ts'
import { actorOf, type Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { clearOperatorCookie, readOperatorCookie, writeOperatorCookie } from '../endpoint/cookies.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { notHere } from '../endpoint/notHere.ts'
import { respond } from '../endpoint/respond.ts'
import { findRoles } from '../roles/accessOf.ts'
import { exportAccount } from '../transfer/exportAccount.ts'
import { removeUser, scheduleDeletion, undoDeletion } from '../users/accountDeletion.ts'
import { actAs } from '../users/actAs.ts'
import { listActivityOf, recordActivity } from '../users/activity.ts'
import { changeHolder } from '../users/holders/changeHolder.ts'
import { isOperator, operatorRoleOf, raiseOperator } from '../users/operators.ts'
import { requestPasswordReset } from '../users/passwords/requestPasswordReset.ts'
import { createSession } from '../users/sessions/createSession.ts'
import { findSession } from '../users/sessions/findSession.ts'
import {
  encodeSession,
  endSessions,
  getSession,
  requireSession,
  revokeSession,
  selectSessions,
} from '../users/sessions/sessions.ts'
import { encodeUser, findUser, isLocked, lockUsers, type UserRow } from '../users/UserRow.ts'
import { encodeRow, getRow } from './listUsers.ts'
import { findRolePaths } from './testAccess.ts'

/** One user with everything needed for support. Contains no secrets: those are hashes here. */
async function getConsoleUser(context: Context, caller: Caller, userId: string): Promise<ConsoleUserRecord> {
  const [row, user, signInMethods, sessions, roles, grants, activity, objects] = await Promise.all([
    getRow(context, userId),
    findUser(context, userId),
    listSignInMethodsOf(context, userId),
    selectSessions(context, { userId, objectId: null }),
    findRoles(context, userId),
    listGrants(context, userId),
    listActivityOf(context, userId, { limit: 50 }),
    withFreshClasses(context.classes, () => countObjects(context, userId)),
  ])
  return {
    ...encodeRow(row),
    ...(row.due && { deletedAt: row.due.toISOString() }),
    fields: user ? encodeUser(context, user) : {},
    signInMethods,
    secondFactor: row.secondFactor,
    // Signed messages are shown to the user only.
    sessions: sessions.map((session) => {
      const { proof: _proof, ...shown } = encodeSession(context, caller, session)
      return shown
    }),
    roles,
    grants,
    isUndoable: row.isUndoable,
    activity: activity.results,
    objects,
  }
}

/** The roles of a user, with why: listed by hand or by a token gate, or through another role. */
async function listGrants(context: Context, userId: string): Promise<ConsoleUserRecord['grants']> {
  const paths = await findRolePaths(context, userId)
  const rows = await context.db.query<{ objectId: string; name: string; isGated: boolean }>(sql`
    select r."objectId", r.name, coalesce(j."_gated", false) as "isGated" from public."_Role" r
    left join public."_Join:users:_Role" j on j."owningId" = r."objectId" and j."relatedId" = ${userId}
    where r.name = any(${paths.map(({ name }) => name)})`)
  const byName = new Map(rows.map((row) => [row.name, row]))
  return paths.flatMap(({ name, path }) => {
    const row = byName.get(name)
    return row ? [{ ...row, path }] : []
  })
}

/** Counting stops there: the number of a user's objects may be any. */
const mostObjects = 1_000

const mostClasses = 200

async function countObjects({ db, classes }: Context, userId: string): Promise<ConsoleUserRecord['objects']> {
  const named = classes
    .list()
    .filter(({ className }) => !isSystemClass(className))
    .slice(0, mostClasses)
  if (named.length === 0) return []
  const user = sql.param(userId)
  const counts = named.map((schema) => {
    const { className } = schema
    const own = sql`
      select 1 from ${tableOf(schema)} where "_wperm" @> array[${user}::text] limit ${sql.raw(mostObjects + 1)}`
    return sql`select ${className}::text as "className", (select count(*) from (${own}) o)::int as count`
  })
  const rows = await db.query<{ className: string; count: number }>(sql.join(counts, ' union all '))
  return rows
    .filter(({ count }) => count > 0)
    .map(({ className, count }) => ({
      className,
      count: Math.min(count, mostObjects),
      isMore: count > mostObjects,
    }))
}

/**
 * Runs an operator's act on an account, in a transaction that locks it. Support cannot act on operators: locking,
 * resetting or signing out administrators would decide who administrates.
 */
async function changeAccount<Result>(
  context: Context,
  caller: Caller,
  userId: string,
  work: (user: UserRow) => Promise<Result>,
): Promise<Result> {
  return context.db.transaction(async () => {
    await lockUsers(context, [userId])
    const user = await findUser(context, userId)
    if (!user) throw refuse('objectNotFound')
    const isLimited = caller.operator === 'support' || caller.token !== undefined
    if (isLimited && (await isOperator(context, userId))) throw refuse('operatorForbidden')
    return work(user)
  })
}

/** Locks an account, which every sign-in method respects, and ends its sessions. Its access list is kept. */
function disableUser(context: Context, caller: Caller, userId: string): Promise<{ status: UserStatus }> {
  const { db, clock } = context
  return changeAccount(context, caller, userId, async (user) => {
    if (caller.session?.userId === userId || (await isOperator(context, userId))) throw refuse('operatorForbidden')
    if (!isLocked(user)) {
      await db.query(sql`
        insert into countersign.disabled_users ("user", rperm, wperm, disabled)
        values (${userId}, ${user._rperm}, ${user._wperm}, ${clock.now()})
        on conflict ("user") do update set
          rperm = excluded.rperm, wperm = excluded.wperm, disabled = excluded.disabled`)
      await db.query(sql`
        update "_User" set "_rperm" = '{}', "_wperm" = '{}', "updatedAt" = ${clock.now()}
        where "objectId" = ${userId}`)
      db.reportChange('_User')
      await recordActivity(context, caller, userId, 'disableAccount')
    }
    await changeHolder(context, userId, 'lock by an operator')
    return { status: await getStatus(context, userId) }
  })
}

/** Opens a locked account again. One that its owner has deleted is the owner's to restore. */
function enableUser(context: Context, caller: Caller, userId: string): Promise<{ status: UserStatus }> {
  const { db, clock } = context
  return changeAccount(context, caller, userId, async (user) => {
    const status = await getStatus(context, userId)
    if (status !== 'disabled') return { status }
    const [kept] = await db.query<{ rperm: string[] | null; wperm: string[] | null }>(
      sql`delete from countersign.disabled_users where "user" = ${userId} returning rperm, wperm`,
    )
    // A user who was locked by the access list alone gets the list of a new account.
    const { rperm, wperm } = kept ?? { rperm: [user.objectId], wperm: [user.objectId] }
    await db.query(sql`
      update "_User" set "_rperm" = ${rperm}, "_wperm" = ${wperm}, "updatedAt" = ${clock.now()}
      where "objectId" = ${userId}`)
    db.reportChange('_User')
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
    await recordActivity(context, caller, userId, 'enableAccount')
    return { status: 'active' as const }
  })
}

async function getStatus(context: Context, userId: string): Promise<UserStatus> {
  return encodeRow(await getRow(context, userId)).status
}

function signOutUser(context: Context, caller: Caller, userId: string): Promise<{ revoked: number }> {
  return changeAccount(context, caller, userId, async () => {
    const keep = caller.session?.userId === userId ? caller.session.objectId : null
    const revoked = await endSessions(context, userId, keep)
    await recordActivity(context, caller, userId, 'signOutByOperator')
    return { revoked }
  })
}

/** Ends one session. The operator's own stays: signing out is how it ends. */
function endUserSession(
  context: Context,
  caller: Caller,
  userId: string,
  sessionId: string,
): Promise<Record<never, never>> {
  return changeAccount(context, caller, userId, async () => {
    if (caller.session?.objectId === sessionId) throw refuse('operatorForbidden')
    const [session] = await selectSessions(context, { userId, objectId: sessionId })
    if (!session) throw refuse('objectNotFound')
    await revokeSession(context, { ...caller, isMaster: true }, sessionId)
    await recordActivity(context, caller, userId, 'signOutByOperator')
    return {}
  })
}

/** Locks an account until its grace period is over. One that its owner has deleted already keeps its date. */
function scheduleUserDeletion(context: Context, caller: Caller, userId: string): Promise<{ deletedAt: string }> {
  return changeAccount(context, caller, userId, async () => {
    if (caller.session?.userId === userId || (await isOperator(context, userId))) throw refuse('operatorForbidden')
    if (!(await getRow(context, userId)).due) await scheduleDeletion(context, caller, userId, { isByOperator: true })
    const { due } = await getRow(context, userId)
    return { deletedAt: (due ?? context.clock.now()).toISOString() }
  })
}

function undoUserDeletion(context: Context, caller: Caller, userId: string): Promise<{ status: UserStatus }> {
  return changeAccount(context, caller, userId, async () => {
    await undoDeletion(context, caller, userId)
    return { status: await getStatus(context, userId) }
  })
}

/**
 * Marks an address as the user's by the operator's word: mailed links open the account from then on. Nobody has proven
 * that the person reads that mailbox, so a reset by mail still removes the other sign-in methods. An address verified
 * by its holder stays so: support must not replace a stronger proof.
 */
function verifyUserEmail(context: Context, caller: Caller, userId: string): Promise<Record<never, never>> {
  const { db, clock } = context
  return changeAccount(context, caller, userId, async ({ email }) => {
    if (email === null) throw new CountersignError('EmailMissing', 'This user has no email address.')
    const verified = await db.query(sql`
      update "_User" set "emailVerified" = true, "_verified_outside" = true, "updatedAt" = ${clock.now()}
      where "objectId" = ${userId} and "emailVerified" is not true
      returning 1`)
    if (verified.length === 0) return {}
    db.reportChange('_User')
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
    await recordActivity(context, caller, userId, 'verifyEmailByOperator')
    return {}
  })
}

async function sendUserReset(context: Context, caller: Caller, userId: string): Promise<Record<never, never>> {
  const email = await changeAccount(context, caller, userId, async (user) => user.email)
  if (email === null) throw new CountersignError('EmailMissing', 'This user has no email address.')
  return requestPasswordReset(context, caller, email)
}

/** Longest life of a session that an operator opens for a user. */
const impersonation = 3_600_000

/**
 * Opens a session of a user for an operator. It is marked, ends after an hour, counts as unconfirmed and stays so, and
 * never has the rights of an operator: nothing that opens the account can be changed by it.
 */
function impersonateUser(
  context: Context,
  caller: Caller,
  userId: string,
): Promise<EndpointTypes['impersonateUser']['output']> {
  return changeAccount(context, caller, userId, async (user) => {
    if (isLocked(user) || (await isOperator(context, userId))) throw refuse('operatorForbidden')
    const { objectId, token, expiresAt } = await createSession(
      context,
      { ...caller, installationId: undefined },
      userId,
      {
        by: 'operator',
        createdWith: { action: 'create', authProvider: 'operator' },
        expires: new Date(context.clock.ms() + impersonation),
      },
    )
    await context.db.query(sql`update "_Session" set "_opened_by" = ${actorOf(caller)} where "objectId" = ${objectId}`)
    await recordActivity(context, caller, userId, 'impersonate', {
      operator: caller.session?.userId,
      session: objectId,
    })
    return {
      user: { objectId: userId, username: user.username },
      expiresAt: expiresAt.toISOString(),
      sessionToken: token,
    }
  })
}

async function deleteConsoleUser(context: Context, caller: Caller, userId: string): Promise<Record<never, never>> {
  await changeAccount(context, caller, userId, async () => {
    if (caller.session?.userId === userId || (await isOperator(context, userId))) throw refuse('operatorForbidden')
    await removeUser(context, caller, userId)
    await recordActivity(context, caller, userId, 'deleteAccount', { byOperator: true })
  })
  return {}
}

/** All stored data of a user, in the form of the user's own export. */
async function exportConsoleUser(context: Context, caller: Caller, userId: string): Promise<Readable> {
  const row = await findUser(context, userId)
  if (!row) throw refuse('objectNotFound')
  return exportAccount(context, actAs(context, caller, row))
}

export const getConsoleUserEndpoint = defineEndpoint('getConsoleUser', {
  handle: ({ context, caller, params }) => getConsoleUser(context, caller, params.objectId),
})

export const exportConsoleUserEndpoint = defineEndpoint('exportConsoleUser', {
  streams: true,
  writes: true,
  handle: async ({ context, caller, params }) =>
    respond((await exportConsoleUser(context, caller, params.objectId)) as object as WireFields, {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': 'attachment; filename="user.json"',
        'Cache-Control': 'no-store',
      },
    }),
})

export const disableUserEndpoint = defineEndpoint('disableUser', {
  handle: ({ context, caller, params }) => disableUser(context, caller, params.objectId),
})

export const enableUserEndpoint = defineEndpoint('enableUser', {
  handle: ({ context, caller, params }) => enableUser(context, caller, params.objectId),
})

export const signOutUserEndpoint = defineEndpoint('signOutUser', {
  handle: ({ context, caller, params }) => signOutUser(context, caller, params.objectId),
})

export const endUserSessionEndpoint = defineEndpoint('endUserSession', {
  handle: ({ context, caller, params }) => endUserSession(context, caller, params.objectId, params.sessionId),
})

export const scheduleUserDeletionEndpoint = defineEndpoint('scheduleUserDeletion', {
  handle: ({ context, caller, params }) => scheduleUserDeletion(context, caller, params.objectId),
})

export const undoUserDeletionEndpoint = defineEndpoint('undoUserDeletion', {
  handle: ({ context, caller, params }) => undoUserDeletion(context, caller, params.objectId),
})

export const verifyUserEmailEndpoint = defineEndpoint('verifyUserEmail', {
  handle: ({ context, caller, params }) => verifyUserEmail(context, caller, params.objectId),
})

export const sendUserResetEndpoint = defineEndpoint('sendUserReset', {
  handle: ({ context, caller, params }) => sendUserReset(context, caller, params.objectId),
})

export const impersonateUserEndpoint = defineEndpoint('impersonateUser', {
  async handle({ context, caller, params }) {
    const made = await impersonateUser(context, caller, params.objectId)
    if (!caller.session) return made
    // The browser keeps the operator's own session aside, to come back to.
    return respond(made, { headers: { 'Set-Cookie': writeOperatorCookie(context, caller.session.token) } })
  },
})

export const endImpersonationEndpoint = defineEndpoint('endImpersonation', {
  async handle({ context, caller, sent }) {
    const { objectId } = requireSession(caller)
    const session = await getSession(context, { ...caller, isMaster: false }, objectId)
    // Any other session finds nothing here.
    if (session.createdWith?.authProvider !== 'operator') throw notHere('POST', '/console/impersonation/end')
    await revokeSession(context, caller, objectId)
    const token = await findOperatorToken(context, readOperatorCookie(context, sent.headers.cookie))
    return respond(token === undefined ? {} : { sessionToken: token }, {
      headers: { 'Set-Cookie': clearOperatorCookie(context) },
    })
  },
})

export const deleteConsoleUserEndpoint = defineEndpoint('deleteConsoleUser', {
  handle: ({ context, caller, params }) => deleteConsoleUser(context, caller, params.objectId),
})

/** The token that was kept aside, as long as it opens a session of an operator. */
async function findOperatorToken(context: Context, token: string | undefined): Promise<string | undefined> {
  if (token === undefined) return undefined
  const session = await findSession(context, token).catch(() => undefined)
  if (!session) return undefined
  const caller = { isMaster: false, isLocalApp: false, ipAddress: '', session }
  await raiseOperator(context, caller).catch(() => undefined)
  return operatorRoleOf(caller) && token
}
