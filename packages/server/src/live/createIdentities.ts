import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { isAuthenticated } from '../permissions/decide.ts'
import { accessOf, accessOfService, withoutDemanded } from '../roles/accessOf.ts'
import type { Identities, Identity } from './Live.ts'

/** Identities of live queries, with their entities. */
export function createIdentities(context: Context): Identities {
  const known = new Map<string, Identity>()
  let doubts = 0

  const settleAll = async (stale: Identity[]) => {
    const before = doubts
    const ids = stale.flatMap(({ access }) => access.userId ?? [])
    const roles = await findRolesOf(context, ids)
    for (const identity of stale) {
      const { userId, scope } = identity.access
      if (identity.service) {
        const access = await accessOfService(context, identity.service.account, identity.service.scope)
        if (!isSame(access.entities, identity.access.entities)) identity.access = access
        if (before === doubts) identity.isStale = false
        continue
      }
      if (userId === undefined) continue
      const counted = await withoutDemanded(context, userId, roles.get(userId) ?? [])
      const entities = ['*', userId, ...counted.map((name) => `role:${name}`)]
      if (!isSame(entities, identity.access.entities))
        identity.access = { isMaster: false, userId, entities, ...(scope && { scope }) }
      if (before === doubts) identity.isStale = false
    }
  }

  return {
    async take(caller) {
      const key = keyOf(caller)
      const before = doubts
      const access = known.get(key)?.access ?? (await accessOf(context, { ...caller }))
      // Another may have been added in between.
      const { service: account, scope } = caller.token?.grant ?? {}
      const service = account && scope && { account, scope }
      const made = { key, access, service, rights: new Map(), isStale: before !== doubts, uses: 0 }
      const identity = known.get(key) ?? made
      known.set(key, identity)
      identity.uses++
      return identity
    },
    release(identity) {
      if (--identity.uses === 0 && known.get(identity.key) === identity) known.delete(identity.key)
    },
    doubt() {
      doubts++
      for (const identity of known.values()) if (hasRoles(identity)) identity.isStale = true
    },
    settle() {
      const stale = [...known.values()].filter(({ isStale }) => isStale)
      return stale.length > 0 ? settleAll(stale) : undefined
    },
  }
}

/** Equal for callers with the same rights: the scope of a token is a part of them. */
function keyOf({ isMaster, session, token }: Caller): string {
  const key = `${isMaster ? 'master' : 'user'} ${session?.userId ?? ''}`
  return token ? `${key} ${token.grant.service?.id ?? ''} ${token.grant.scope.key}` : key
}

function hasRoles({ access }: Identity): boolean {
  return !access.isMaster && isAuthenticated(access)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entity) => other.includes(entity))
}

/** As `findRoles` does it, for many. */
async function findRolesOf({ db }: Context, userIds: string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ user: string; name: string }>(sql`
    with recursive held as (
      select "relatedId" as holder, "owningId" as id from public."_Join:users:_Role" where "relatedId" = any(${userIds})
      union
      select held.holder, j."owningId" from held join public."_Join:roles:_Role" j on j."relatedId" = held.id
    )
    select held.holder as user, r."name"
    from held
    join public."_Role" r on r."objectId" = held.id`)
  const found = new Map<string, string[]>()
  for (const { user, name } of rows) found.set(user, [...(found.get(user) ?? []), name])
  return found
}
