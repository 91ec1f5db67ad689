import { type ConsoleUserRow, type EndpointTypes, type OperatorRole, refuse } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { hasSecondFactor } from '../users/secondFactor.ts'
import { isLockedSql } from '../users/UserRow.ts'
import { nameKey } from '../users/usernames.ts'

export type Row = {
  objectId: string
  username: string
  email: string | null
  emailVerified: boolean | null
  createdAt: Date
  lastSeenAt: Date | null
  isLocked: boolean
  due: Date | null
  isGuest: boolean
  operator: OperatorRole | null
  wallets: number
  wallet: string | null
  hasPassword: boolean
  hasPasskey: boolean
  hasProvider: boolean
  isUndoable: boolean
  secondFactor: boolean
}

const rowColumns = sql`u."objectId", u.username, u.email, u."emailVerified", u."createdAt",
  (select max(s."lastUsedAt") from "_Session" s where s."user" = u."objectId") as "lastSeenAt",
  ${isLockedSql} as "isLocked",
  (select d.due from countersign.deletions d where d."user" = u."objectId") as due,
  u."_anonymous" is not null as "isGuest",
  (select o.role from countersign.operators o where o."user" = u."objectId") as operator,
  (select count(*)::int from countersign.wallets w where w."user" = u."objectId") as wallets,
  (select w.address from countersign.wallets w where w."user" = u."objectId"
    order by w.is_primary desc, w.linked, w.key limit 1) as wallet,
  u."_password_hash" is not null as "hasPassword",
  exists (select from countersign.passkeys p where p."user" = u."objectId") as "hasPasskey",
  exists (select from countersign.identities i where i."user" = u."objectId") as "hasProvider",
  exists (select from countersign.deletions d where d."user" = u."objectId" and d.by_operator) as "isUndoable",
  ${hasSecondFactor} as "secondFactor"`

const isDeleting = sql`exists (select from countersign.deletions d where d."user" = u."objectId")`

const filters: { [Name in NonNullable<EndpointTypes['listConsoleUsers']['input']['filter']>]: Fragment } = {
  all: sql`true`,
  disabled: sql`${isLockedSql} and not ${isDeleting}`,
  deleting: isDeleting,
  unverified: sql`u.email is not null and u."emailVerified" is not true`,
  guests: sql`u."_anonymous" is not null`,
  operators: sql`u."objectId" in (select "user" from countersign.operators)`,
}

/** Users by a part of their name or address, by id or by wallet. */
async function listConsoleUsers(
  { db }: Context,
  {
    search = '',
    filter = 'all',
    order = '-createdAt',
    after,
    limit = '50',
  }: EndpointTypes['listConsoleUsers']['input'],
): Promise<EndpointTypes['listConsoleUsers']['output']> {
  const wanted = search.trim()
  const conditions = [filters[filter]]
  if (wanted !== '') {
    const key = nameKey(wanted)
    const spellings = [wanted, wanted.toLowerCase()]
    conditions.push(sql`(strpos(u."_username_key", ${key}) > 0 or strpos(u."_email_key", ${key}) > 0
      or u."objectId" = ${wanted}
      or u."objectId" in (select "user" from countersign.wallets where address = any(${spellings})))`)
  }
  const { column, join, isText } = orders[order.replace('-', '') as keyof typeof orders]
  const isDescending = order.startsWith('-')
  if (after !== undefined) {
    const [value, id] = readCursor(after, isText)
    const place = isText ? sql`${value}::text` : sql`${new Date(value)}::timestamptz`
    conditions.push(sql`(${column}, u."objectId") ${sql.raw(isDescending ? '<' : '>')} (${place}, ${id}::text)`)
  }
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const most = Number(limit)
  const rows = await db.query<Row & { place: Date | string }>(sql`
    select ${rowColumns}, ${column} as place from "_User" u ${join} where ${sql.join(conditions, ' and ')}
    order by ${column} ${direction}, u."objectId" ${direction}
    limit ${most + 1}`)
  const page = rows.slice(0, most)
  const last = page.at(-1)
  const place = last && (last.place instanceof Date ? last.place.toISOString() : last.place)
  return {
    results: page.map(encodeRow),
    ...(rows.length > most && last && { next: JSON.stringify([place, last.objectId]) }),
  }
}

/** Place of the last row of the page before: the value that the list is sorted by, and the id. */
function readCursor(after: string, isText: boolean): [value: string, id: string] {
  try {
    const [value, id] = JSON.parse(after) as unknown[]
    if (typeof value === 'string' && typeof id === 'string' && (isText || !Number.isNaN(Date.parse(value))))
      return [value, id]
  } catch {
    // Refused below.
  }
  throw refuse('invalidInput', { field: 'after', problem: 'is not a cursor of this list' })
}

/** Columns that the list is sorted by. */
const orders: {
  [Name in 'createdAt' | 'username' | 'lastSeenAt']: { column: Fragment; join: Fragment; isText: boolean }
} = {
  createdAt: { column: sql`u."createdAt"`, join: sql``, isText: false },
  username: { column: sql`u."_username_key"`, join: sql``, isText: true },
  lastSeenAt: {
    column: sql`coalesce(seen.at, 'epoch')`,
    join: sql`left join (
      select "user", max("lastUsedAt") as at from "_Session" group by "user"
    ) seen on seen."user" = u."objectId"`,
    isText: false,
  },
}

export function encodeRow(row: Row): ConsoleUserRow {
  const { objectId, username, isGuest, wallets } = row
  return {
    objectId,
    username,
    ...(row.email !== null && { email: row.email, emailVerified: row.emailVerified ?? false }),
    createdAt: row.createdAt.toISOString(),
    ...(row.lastSeenAt && { lastSeenAt: row.lastSeenAt.toISOString() }),
    status: row.due ? 'deleting' : row.isLocked ? 'disabled' : 'active',
    isGuest,
    ...(row.operator && { operator: row.operator }),
    wallets,
    ...(row.wallet !== null && { wallet: row.wallet }),
    methods: listMethods(row),
  }
}

function listMethods({ hasPassword, wallets, hasPasskey, hasProvider }: Row): ConsoleUserRow['methods'] {
  const all = { password: hasPassword, wallet: wallets > 0, passkey: hasPasskey, provider: hasProvider }
  return (Object.keys(all) as (keyof typeof all)[]).filter((name) => all[name])
}

export async function getRow({ db }: Context, userId: string): Promise<Row> {
  const [row] = await db.query<Row>(sql`select ${rowColumns} from "_User" u where u."objectId" = ${userId}`)
  if (!row) throw refuse('objectNotFound')
  return row
}

export const listConsoleUsersEndpoint = defineEndpoint('listConsoleUsers', {
  handle: ({ context, input }) => listConsoleUsers(context, input),
})
