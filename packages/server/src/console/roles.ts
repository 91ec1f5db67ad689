import { type ConsoleRoleRow, type EndpointTypes, refuse } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { nameKey } from '../users/usernames.ts'

type Types = EndpointTypes

/** Counting stops there: a role may have any number of members. */
const mostCounted = 1_000

type Row = { objectId: string; name: string; users: number; roles: number; tokenGates: number }

const count = (rows: Fragment) => sql`(select count(*)::int from (${rows} limit ${mostCounted + 1}) counted)`

const columns = sql`r."objectId", r."name",
  ${count(sql`select from public."_Join:users:_Role" j where j."owningId" = r."objectId"`)} as users,
  ${count(sql`select from public."_Join:roles:_Role" j where j."owningId" = r."objectId"`)} as roles,
  (select count(*)::int from countersign.gates g where g.role = r."objectId") as "tokenGates"`

/**
 * Roles without a parent, and those unreachable from them: a cycle of roles has no root, and must not be missing from
 * the tree. `union` drops repeated rows, so the recursion ends.
 */
const isTop = sql`r."objectId" not in (
  with recursive reached as (
    select j."relatedId" as id from public."_Join:roles:_Role" j
      where not exists (select from public."_Join:roles:_Role" above where above."relatedId" = j."owningId")
    union
    select j."relatedId" from reached join public."_Join:roles:_Role" j on j."owningId" = reached.id
  ) select id from reached)`

/** Roles by name: the beginnings of the tree, those below a role, or those whose name holds a text. */
async function listConsoleRoles(
  { db }: Context,
  { search = '', parent, after, limit = '50' }: Types['listConsoleRoles']['input'],
): Promise<Types['listConsoleRoles']['output']> {
  const wanted = search.trim()
  const conditions: Fragment[] = []
  if (parent !== undefined) {
    conditions.push(
      sql`r."objectId" in (select j."relatedId" from public."_Join:roles:_Role" j where j."owningId" = ${parent})`,
    )
  }
  if (wanted !== '')
    conditions.push(sql`(strpos(lower(r."name"), ${wanted.toLowerCase()}) > 0 or r."objectId" = ${wanted})`)
  if (conditions.length === 0) conditions.push(isTop)
  if (after !== undefined) conditions.push(sql`r."name" collate "C" > ${after}`)
  const most = Number(limit)
  const rows = await db.query<Row>(sql`
    select ${columns} from public."_Role" r where ${sql.join(conditions, ' and ')}
    order by r."name" collate "C"
    limit ${most + 1}`)
  const page = rows.slice(0, most)
  return { results: page.map(encode), ...(rows.length > most && { next: page.at(-1)?.name ?? '' }) }
}

function encode({ users, ...row }: Row): ConsoleRoleRow {
  return { ...row, users: Math.min(users, mostCounted), isMore: users > mostCounted }
}

/** One role with its parent roles, and the access list for changing it. */
async function getConsoleRole({ db }: Context, objectId: string): Promise<Types['getConsoleRole']['output']> {
  const [row] = await db.query<Row & { createdAt: Date; read: string[] | null; write: string[] | null }>(sql`
    select ${columns}, r."createdAt", r."_rperm" as read, r."_wperm" as write
    from public."_Role" r
    where r."objectId" = ${objectId}`)
  if (!row) throw refuse('objectNotFound')
  const parents = await db.query<{ objectId: string; name: string }>(sql`
    select r."objectId", r."name" from public."_Join:roles:_Role" j join public."_Role" r on r."objectId" = j."owningId"
    where j."relatedId" = ${objectId}
    order by r."name" collate "C"
    limit 100`)
  const { createdAt, read, write, ...rest } = row
  return {
    ...encode(rest),
    createdAt: createdAt.toISOString(),
    parents,
    readers: (read ?? ['*']).slice(0, 100),
    writers: (write ?? ['*']).slice(0, 100),
  }
}

/** Direct members of a role, page by page in the order of their ids, which the table has. */
async function listRoleMembers(
  { db }: Context,
  objectId: string,
  { search = '', after = '', limit = '50' }: Omit<Types['listRoleMembers']['input'], 'objectId'>,
): Promise<Types['listRoleMembers']['output']> {
  const wanted = search.trim()
  const key = sql.param(nameKey(wanted))
  const matches =
    wanted === ''
      ? sql`true`
      : sql`(strpos(u."_username_key", ${key}) > 0 or strpos(u."_email_key", ${key}) > 0 or u."objectId" = ${wanted})`
  const most = Number(limit)
  const rows = await db.query<{ objectId: string; username: string; email: string | null; isGated: boolean }>(sql`
    select u."objectId", u.username, u.email, j."_gated" as "isGated"
    from public."_Join:users:_Role" j
    join "_User" u on u."objectId" = j."relatedId"
    where j."owningId" = ${objectId} and j."relatedId" > ${after} and ${matches}
    order by j."relatedId" limit ${most + 1}`)
  const page = rows.slice(0, most)
  return {
    results: page.map(({ email, ...row }) => ({ ...row, ...(email !== null && { email }) })),
    ...(rows.length > most && { next: page.at(-1)?.objectId ?? '' }),
  }
}

export const listConsoleRolesEndpoint = defineEndpoint('listConsoleRoles', {
  handle: ({ context, input }) => listConsoleRoles(context, input),
})

export const getConsoleRoleEndpoint = defineEndpoint('getConsoleRole', {
  handle: ({ context, params }) => getConsoleRole(context, params.objectId),
})

export const listRoleMembersEndpoint = defineEndpoint('listRoleMembers', {
  handle: ({ context, params, input }) => listRoleMembers(context, params.objectId, input),
})
