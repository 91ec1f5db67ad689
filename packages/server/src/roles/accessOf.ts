import type { HeldToken } from '../caches/createSessionCache.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import type { Scope } from '../scopes/Scope.ts'
import { findSecondFactor } from '../users/secondFactor.ts'

/** The caller's identities in access-list checks. */
export type Access = {
  /** Above every rule. */
  isMaster: boolean
  /** Absent for guests. */
  userId?: string
  /** Identities of the caller in an access list: `*`, the user id, `role:<name>` for each role held. */
  entities: readonly string[]
  /** Narrows everything above: judged first, also for `isMaster`. */
  scope?: Scope
  /** Id of the service account, which has no user. */
  serviceId?: string
}

const master: Access = { isMaster: true, entities: ['*'] }

const guest: Access = { isMaster: false, entities: ['*'] }

/**
 * By caller, which lives as long as its request: whatever the request writes, it is judged by the roles that were held
 * when it came in. A role that it gives itself in a transaction that fails must not reach the cache. Not a field of the
 * caller: a copy with other rights (`{ ...caller, isMaster: true }`, a caller without its session) would inherit it.
 */
const accessByCaller = new WeakMap<Caller, Promise<Access>>()

/** The caller's identities in checks of classes and documents. */
export function accessOf(context: Context, caller: Caller): Promise<Access> {
  const before = accessByCaller.get(caller)
  if (before) return before
  const access =
    caller.token !== undefined
      ? accessOfToken(context, caller, caller.token)
      : caller.session && !caller.isMaster
        ? accessOfUser(context, caller.session.userId)
        : undefined
  const answer = access ?? Promise.resolve(caller.isMaster ? masterOf(caller) : guest)
  accessByCaller.set(caller, answer)
  return answer
}

/** Rights of a token: those of its owner, narrowed by its scope. */
async function accessOfToken(context: Context, caller: Caller, { grant }: HeldToken): Promise<Access> {
  const { scope, service } = grant
  if (caller.isMaster) return { ...masterOf(caller), scope }
  if (service) return accessOfService(context, service, scope)
  return { ...(caller.session ? await accessOfUser(context, caller.session.userId) : guest), scope }
}

/** Rights of a service account: its own name, and the roles that an operator gave it. */
export async function accessOfService(
  { db, roleCache }: Context,
  { id, name }: { id: string; name: string },
  scope: Scope,
): Promise<Access> {
  // No user has such an id: it contains a space.
  const key = `service ${id}`
  const load = async () => {
    const rows = await db.query<{ name: string }>(sql.named('find-service-roles')`
      with recursive held as (
        select role as id from countersign.service_roles where service = ${id}
        union
        select j."owningId" from held join public."_Join:roles:_Role" j on j."relatedId" = held.id
      )
      select r."name" from held join public."_Role" r on r."objectId" = held.id`)
    return rows.map((row) => row.name)
  }
  const roles = roleCache.find(key) ?? (await roleCache.load(key, load))
  const entities = ['*', `service:${name}`, ...roles.map((role) => `role:${role}`)]
  return { isMaster: false, entities, scope, serviceId: id }
}

/** Master key with a session: above every rule, and with a user for pointer fields. */
function masterOf({ session }: Caller): Access {
  return session ? { ...master, userId: session.userId } : master
}

async function accessOfUser(context: Context, userId: string): Promise<Access> {
  const held =
    context.roleCache.find(userId) ?? (await context.roleCache.load(userId, () => findRoles(context, userId)))
  const roles = await withoutDemanded(context, userId, held)
  return { isMaster: false, userId, entities: ['*', userId, ...roles.map((name) => `role:${name}`)] }
}

/**
 * Roles of a user: those that list the user, and those that list a role held. `union` drops repeated rows, so a cycle
 * of roles ends.
 */
export async function findRoles({ db }: Context, userId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql.named('find-roles')`
    with recursive held as (
      select "owningId" as id from public."_Join:users:_Role" where "relatedId" = ${userId}
      union
      select j."owningId" from held join public."_Join:roles:_Role" j on j."relatedId" = held.id
    )
    select r."name"
    from held
    join public."_Role" r on r."objectId" = held.id`)
  return rows.map((row) => row.name)
}

/**
 * The roles that count for a user. One that demands a second factor counts for nobody without one: it may have been
 * given to somebody who was signed in already. Neither do roles that only such a role leads to.
 */
export async function withoutDemanded(
  context: Context,
  userId: string,
  held: readonly string[],
): Promise<readonly string[]> {
  const { required } = context.config.secondFactor
  if (typeof required !== 'object' || !held.some((name) => required.roles.includes(name))) return held
  const { totp, passkey } = await findSecondFactor(context, userId)
  if (totp || passkey) return held
  const rows = await context.db.query<{ name: string }>(sql`
    with recursive counted as (
      select "objectId" as id, "name" from public."_Role" where not ("name" = any(${required.roles}))
    ), held as (
      select c.id, c."name" from public."_Join:users:_Role" j
      join counted c on c.id = j."owningId"
      where j."relatedId" = ${userId}
      union
      select c.id, c."name" from held
      join public."_Join:roles:_Role" j on j."relatedId" = held.id
      join counted c on c.id = j."owningId"
    )
    select "name" from held`)
  return rows.map(({ name }) => name)
}
