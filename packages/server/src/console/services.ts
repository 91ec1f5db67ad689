import { refuse, type ServiceRecord } from '@countersign/protocol'
import { newObjectId } from '../classes/names.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { endTokens } from '../users/tokens/issueToken.ts'

const mostServices = 200

type Row = { id: string; name: string; created: Date; roles: string[]; keys: number; used: Date | null }

async function listServices({ db, clock }: Context, id?: string): Promise<ServiceRecord[]> {
  const rows = await db.query<Row>(sql`
    select s.id, s.name, s.created,
      array(select r."name" from countersign.service_roles h join public."_Role" r on r."objectId" = h.role
        where h.service = s.id order by 1) as roles,
      (select count(*)::int from countersign.access_tokens t
        where t.service = s.id and (t.expires is null or t.expires > ${clock.now()})) as keys,
      (select max(t.last_used) from countersign.access_tokens t where t.service = s.id) as used
    from countersign.services s
    where ${id ?? null}::text is null or s.id = ${id ?? null}
    order by lower(s.name)
    limit 1000`)
  return rows.map(({ id: objectId, name, created, roles, keys, used }) => ({
    objectId,
    name,
    roles,
    keys,
    createdAt: created.toISOString(),
    ...(used && { lastUsedAt: used.toISOString() }),
  }))
}

async function getService(context: Context, id: string): Promise<ServiceRecord> {
  const [service] = await listServices(context, id)
  if (!service) throw refuse('objectNotFound')
  return service
}

/** Sets the roles by name. All of them must exist: a name with a slip of the pen would give nothing, silently. */
async function setRoles({ db, roleCache }: Context, id: string, names: readonly string[]): Promise<void> {
  const wanted = [...new Set(names)]
  const roles = await db.query<{ id: string }>(
    sql`select "objectId" as id from public."_Role" where "name" = any(${wanted}) for share`,
  )
  if (roles.length < wanted.length) throw refuse('objectNotFound')
  await db.query(sql`delete from countersign.service_roles where service = ${id}`)
  for (const role of roles) {
    await db.query(sql`insert into countersign.service_roles (service, role) values (${id}, ${role.id})`)
  }
  db.afterCommit(() => roleCache.forgetAll())
}

async function createService(
  context: Context,
  caller: Caller,
  { name, roles = [] }: { name: string; roles?: string[] | undefined },
): Promise<ServiceRecord> {
  const { db, clock } = context
  return db.transaction(async () => {
    await db.query(sql`lock table countersign.services in share row exclusive mode`)
    const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
      sql`select count(*)::int as count from countersign.services`,
    )
    if (count >= mostServices) throw refuse('tooManyTokens', { most: mostServices })
    const id = newObjectId()
    const made = await db.query(sql`
      insert into countersign.services (id, name, made_by, created)
      values (${id}, ${name}, ${caller.session?.userId ?? null}, ${clock.now()})
      on conflict do nothing returning 1`)
    if (made.length === 0) throw refuse('serviceNameTaken')
    await setRoles(context, id, roles)
    return getService(context, id)
  })
}

async function deleteService(context: Context, id: string): Promise<Record<never, never>> {
  return context.db.transaction(async () => {
    await endTokens(context, sql`service = ${id}`)
    const gone = await context.db.query(sql`delete from countersign.services where id = ${id} returning 1`)
    if (gone.length === 0) throw refuse('objectNotFound')
    return {}
  })
}

export const listServicesEndpoint = defineEndpoint('listServices', {
  handle: async ({ context }) => ({ results: await listServices(context) }),
})

export const createServiceEndpoint = defineEndpoint('createService', {
  auditDetails: ({ name, roles }) => ({ name, roles }),
  handle: ({ context, caller, input }) => createService(context, caller, input),
})

export const updateServiceEndpoint = defineEndpoint('updateService', {
  auditDetails: ({ roles }) => ({ roles }),
  handle: ({ context, params, input }) =>
    context.db.transaction(async () => {
      await getService(context, params.objectId)
      await setRoles(context, params.objectId, input.roles)
      return getService(context, params.objectId)
    }),
})

export const deleteServiceEndpoint = defineEndpoint('deleteService', {
  handle: ({ context, params }) => deleteService(context, params.objectId),
})
