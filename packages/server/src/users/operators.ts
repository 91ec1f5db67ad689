import { createHmac } from 'node:crypto'
import { type OperatorRecord, type OperatorRole, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { hashToken, newToken } from '../keys/secrets.ts'
import { recordActivity } from './activity.ts'
import { findSecondFactor, hasSecondFactor, isSecondFactorRequired } from './secondFactor.ts'
import { requireSession } from './sessions/sessions.ts'

/** Sessions that somebody else opened for the user, or a dump brought: they never have the rights of an operator. */
const borrowed = ['masterkey', 'operator', 'import']

/**
 * Gives a caller the session user's operator rights, if the request asks for them. Looked up at each such request and
 * never cached: a removed operator has no rights from the next request on.
 */
export async function raiseOperator(context: Context, caller: Caller): Promise<void> {
  const { session } = caller
  // A token never has the rights of an operator's session.
  if (!session || caller.isMaster || caller.token) return
  const [found] = await context.db.query<{ role: OperatorRole; confirmed: boolean }>(
    sql.named('find-operator')`
      select o.role, s."_confirmed" > 'epoch' as confirmed from countersign.operators o join "_Session" s on s."user" = o."user"
      where o."user" = ${session.userId} and s."objectId" = ${session.objectId}
        and coalesce(s."createdWith" ->> 'authProvider', '') <> all(${borrowed})`,
  )
  if (!found) return
  const { role, confirmed } = found
  // A relayed text, a key without a PIN and a remembered browser open a session, and do not show that it is the operator's.
  if (!confirmed) throw refuse('reauthenticationRequired')
  if (await isSecondFactorRequired(context, session.userId)) {
    const { totp, passkey } = await findSecondFactor(context, session.userId)
    if (!totp && !passkey) throw refuse('operatorSecondFactor')
  }
  caller.operator = role
  // Support has endpoints of its own, and is a user as any other everywhere else.
  caller.isMaster = role !== 'support'
  if (role === 'viewer') caller.isReadOnly = true
}

/** The role of the caller: the master key is an administrator. */
export function operatorRoleOf({ operator, isMaster, isReadOnly }: Caller): OperatorRole | undefined {
  if (operator) return operator
  if (!isMaster) return undefined
  return isReadOnly ? 'viewer' : 'admin'
}

export async function isOperator({ db }: Context, userId: string): Promise<boolean> {
  return (await db.query(sql`select from countersign.operators where "user" = ${userId}`)).length > 0
}

type Row = {
  objectId: string
  username: string
  email: string | null
  role: OperatorRole
  since: Date
  factor: boolean
}

/** Operators of the console; with an id only that one. */
async function listOperators({ db }: Context, userId?: string): Promise<{ results: OperatorRecord[] }> {
  const rows = await db.query<Row>(sql`
    select u."objectId", u.username, u.email, o.role, o.since,
      ${hasSecondFactor} as factor
    from countersign.operators o
    join "_User" u on u."objectId" = o."user"
    where ${userId ?? null}::text is null or o."user" = ${userId ?? null}
    order by o.since, o."user"
    limit 1000`)
  return {
    results: rows.map(({ email, since, factor, ...row }) => ({
      ...row,
      ...(email !== null && { email }),
      since: since.toISOString(),
      secondFactor: factor,
    })),
  }
}

/** Makes a user an operator, or gives an operator another role. */
async function setOperator(
  context: Context,
  caller: Caller,
  userId: string,
  role: OperatorRole,
): Promise<OperatorRecord> {
  const { db } = context
  return db.transaction(async () => {
    await lockOperators(context)
    const set = await db.query(sql`
      insert into countersign.operators ("user", role, since)
      select "objectId", ${role}, ${context.clock.now()}
      from "_User"
      where "objectId" = ${userId}
      on conflict ("user") do update set role = excluded.role
      returning 1`)
    if (set.length === 0) throw refuse('objectNotFound')
    await keepAdmin(context)
    await forgetFirstLink(context)
    await recordActivity(context, caller, userId, 'becomeOperator', { role })
    const [operator] = (await listOperators(context, userId)).results
    return operator as OperatorRecord
  })
}

/** Takes the console from a user. */
async function removeOperator(context: Context, caller: Caller, userId: string): Promise<Record<never, never>> {
  const { db } = context
  return db.transaction(async () => {
    await lockOperators(context)
    const gone = await db.query(sql`delete from countersign.operators where "user" = ${userId} returning 1`)
    if (gone.length === 0) throw refuse('objectNotFound')
    await keepAdmin(context)
    await recordActivity(context, caller, userId, 'loseOperator')
    return {}
  })
}

/** Two administrators who remove each other at once must not both succeed. */
async function lockOperators({ db }: Context): Promise<void> {
  await db.query(sql`lock table countersign.operators in share row exclusive mode`)
}

/** Refuses where operators would be left, and no administrator among them who stays. */
async function keepAdmin({ db }: Context, without?: string): Promise<void> {
  const [left] = await db.query<{ admins: number; others: number }>(sql`
    select count(*) filter (where role = 'admin' and d."user" is null)::int as admins, count(*)::int as others
    from countersign.operators o
    left join countersign.deletions d on d."user" = o."user"
    where o."user" is distinct from ${without ?? null}`)
  if (left?.admins === 0 && left.others > 0) throw refuse('lastAdmin')
}

/** Before the account of an operator goes. In the transaction that removes it. */
export async function keepAdminWithout(context: Context, userId: string): Promise<void> {
  if (!(await isOperator(context, userId))) return
  await lockOperators(context)
  await keepAdmin(context, userId)
}

const day = 24 * 3_600_000

export type OperatorLink = { url: string; role: OperatorRole; expiresAt: string }

/** A link that makes the first person who opens it an operator. */
export async function createOperatorLink(context: Context, role: OperatorRole): Promise<OperatorLink> {
  const token = newToken()
  const expires = new Date(context.clock.ms() + day)
  await keepLink(context, { token, role, expires, seed: null })
  return describeLink(context, token, role, expires)
}

type KeptLink = { token: string; role: OperatorRole; expires: Date; seed: string | null }

async function keepLink({ db, clock }: Context, { token, role, expires, seed }: KeptLink): Promise<void> {
  await db.query(sql`delete from countersign.operator_links where expires < ${clock.now()}`)
  await db.query(sql`
    insert into countersign.operator_links (hash, role, first, seed, expires)
    values (${hashToken(token)}, ${role}, ${seed !== null}, ${seed}, ${expires})`)
}

function describeLink({ webUrl }: Context, token: string, role: OperatorRole, expires: Date): OperatorLink {
  // Behind the #: such a part of an address is sent to no server, and is in no log.
  return { url: `${webUrl}/admin/claim#${token}`, role, expiresAt: expires.toISOString() }
}

/** The console's way to its first operator: a link, or none yet although there are accounts. */
export type FirstOperator = { link: OperatorLink } | 'missing' | undefined

/**
 * The link for the first operator, where nobody has used the installation yet. Every start and every server prints the
 * same one while it is valid: of several links on a screen, all but the last would be void.
 */
export async function findFirstOperator(context: Context): Promise<FirstOperator> {
  const { db, clock } = context
  if ((await readState(context)).hasOperators) return undefined
  return db.transaction(async () => {
    // Servers that start at the same time must not create two.
    await db.query(sql`lock table countersign.operator_links in share row exclusive mode`)
    // Read again: while this waited for the lock, the link may have been used.
    const { hasUsers, hasOperators } = await readState(context)
    if (hasOperators) return undefined
    const [known] = await db.query<{ hash: Buffer; seed: string; expires: Date }>(sql`
      select hash, seed, expires from countersign.operator_links
      where first and seed is not null and expires > ${clock.now()}
      order by expires desc
      limit 1`)
    const again = known && deriveToken(context, known.seed)
    // With another secret of the keys, the link can no longer be printed.
    if (again && hashToken(again).equals(known.hash))
      return { link: describeLink(context, again, 'admin', known.expires) }
    if (hasUsers) return 'missing'
    await forgetFirstLink(context)
    const seed = newToken()
    const token = deriveToken(context, seed)
    const expires = new Date(clock.ms() + day)
    await keepLink(context, { token, role: 'admin', expires, seed })
    return { link: describeLink(context, token, 'admin', expires) }
  })
}

async function readState({ db }: Context): Promise<{ hasUsers: boolean; hasOperators: boolean }> {
  const [state] = await db.query<{ hasUsers: boolean; hasOperators: boolean }>(sql`
    select exists (select from "_User") as "hasUsers", exists (select from countersign.operators) as "hasOperators"`)
  return state ?? { hasUsers: true, hasOperators: true }
}

/** A copy of the table is not enough to find it: the secret of the keys is in a file, the environment or another table. */
function deriveToken({ keys }: Context, seed: string): string {
  return createHmac('sha256', keys.secret).update(`first operator ${seed}`).digest('base64url')
}

/** The link that a start printed is void once there is an operator: logs are read by many, and kept for long. */
async function forgetFirstLink({ db }: Context): Promise<void> {
  await db.query(sql`delete from countersign.operator_links where first`)
}

/** Uses a link up, for the account that the caller is signed in with. */
async function claimConsole(context: Context, caller: Caller, token: string): Promise<{ role: OperatorRole }> {
  const { userId, isAnonymous, objectId } = requireSession(caller)
  const { db, clock } = context
  return db.transaction(async () => {
    // A guest loses the account with the browser, and a session that somebody else opened is not the user's own.
    const [own] = await db.query(sql`
      select from "_Session" where "objectId" = ${objectId}
        and coalesce("createdWith" ->> 'authProvider', '') <> all(${borrowed})`)
    if (isAnonymous || !own) throw refuse('operatorForbidden')
    const [link] = await db.query<{ role: OperatorRole; expires: Date }>(
      sql`delete from countersign.operator_links where hash = ${hashToken(token)} returning role, expires`,
    )
    if (!link || link.expires <= clock.now()) throw refuse('operatorLinkExpired')
    // A link never takes rights away from an operator who opens it.
    const [known] = (await listOperators(context, userId)).results
    if (known?.role === 'admin') return { role: known.role }
    const { role } = await setOperator(context, caller, userId, link.role)
    return { role }
  })
}

export const claimConsoleEndpoint = defineEndpoint('claimConsole', {
  handle: ({ context, caller, input: { token } }) => claimConsole(context, caller, token),
})

export const listOperatorsEndpoint = defineEndpoint('listOperators', {
  handle: ({ context }) => listOperators(context),
})

export const setOperatorEndpoint = defineEndpoint('setOperator', {
  handle: ({ context, caller, params, input }) => setOperator(context, caller, params.objectId, input.role),
})

export const removeOperatorEndpoint = defineEndpoint('removeOperator', {
  handle: ({ context, caller, params }) => removeOperator(context, caller, params.objectId),
})

export const createOperatorLinkEndpoint = defineEndpoint('createOperatorLink', {
  handle: ({ context, input: { role = 'admin' } }) => createOperatorLink(context, role),
})
