import type { WireFields } from '@countersign/protocol'
import { applyChanges } from '../classes/applyChanges.ts'
import { initialValues } from '../classes/Change.ts'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { type BaseRow, columnNames, decodeRow } from '../classes/decodeRow.ts'
import { fillFileUrls } from '../classes/fileUrls.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { UserFields } from './readUserFields.ts'
import { nameKey } from './usernames.ts'

/** A row of `_User`. Columns that start with `_` never leave the server. */
export type UserRow = BaseRow & {
  username: string
  email: string | null
  emailVerified: boolean | null
  _password_hash: string | null
  /** Hash of the id that opens the account of a guest. */
  _anonymous: Buffer | null
} & Record<string, unknown>

/** The select list for a user, prefixed by the table's alias. */
export function userColumns(schema: ClassSchema, alias: string): Fragment {
  return sql.join([...columnNames(schema), '_password_hash', '_anonymous'].map((name) => sql.column(alias, name)))
}

export function decodeUser(schema: ClassSchema, row: UserRow): WireFields {
  return decodeRow(schema, row)
}

/** A user as the wire has it, with the present addresses of files. */
export function encodeUser(context: Context, row: UserRow): WireFields {
  const schema = context.classes.get('_User')
  return fillFileUrls(context, schema, decodeUser(schema, row))
}

/** An account with empty access lists was locked by the operator, or is to be deleted. */
export function isLocked(user: UserRow): boolean {
  return user._rperm?.length === 0 && user._wperm?.length === 0
}

/** The same in SQL, of a user that the statement calls `u`. No list at all is open to everyone. */
export const isLockedSql = sql`(u."_rperm" is not distinct from '{}' and u."_wperm" is not distinct from '{}')`

/** The user after a write, as far as it is known before, including a new password. */
export function describeUser(original: WireFields | undefined, fields: UserFields): WireFields {
  const { username, password, email, emailVerified, ACL, changes } = fields
  const own = { username, password, email, emailVerified, ACL }
  const set = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return {
    ...(original ? applyChanges(original, changes) : Object.fromEntries(initialValues(changes))),
    ...Object.fromEntries(set),
  }
}

export function withoutPassword({ password: _secret, ...user }: WireFields): WireFields {
  return user
}

/** A user by id, for code that has already decided that it may be seen. */
export async function findUser({ db, classes }: Context, objectId: string): Promise<UserRow | undefined> {
  const schema = classes.get('_User')
  const [row] = await db.query<UserRow>(sql.named(`find-user-${schema.version}`)`
    select ${userColumns(schema, 'u')} from "_User" u where u."objectId" = ${objectId}`)
  return row
}

/**
 * Finds a user by username or email address. If one user's name is another's address, the confirmed address wins; while
 * it is unconfirmed the name counts, so that a claimed address catches no sign-in. An address added later counts once
 * it is verified.
 */
export async function findUserByName(
  { db, classes, config }: Context,
  name: string,
  email?: string,
): Promise<UserRow | undefined> {
  const schema = classes.get('_User')
  const key = nameKey(name)
  const byName = sql.named(`find-user-by-name-${schema.version}`)`
    select ${userColumns(schema, 'u')}, u."_username_key", u."_email_key"
    from "_User" u
    where u."_username_key" = ${key}
      or (u."_email_key" = ${key}
        and (u."emailVerified" or u."_email_added" is null or not ${config.verifyUserEmails}::boolean))`
  const rows = await db.query<UserRow & { _username_key: string; _email_key: string | null }>(byName)
  const fitting = email === undefined ? rows : rows.filter((row) => row._email_key === nameKey(email))
  const holder = fitting.find((row) => row._email_key === key && row.emailVerified)
  return holder ?? fitting.find((row) => row._username_key === key) ?? fitting[0]
}

/** The language that the user `u` of a statement chose. The application's own field: the column exists only once it was set. */
export const languageOfUser = sql`to_jsonb(u.*) ->> 'language'`

/**
 * Holds users until the transaction ends, so that two changes of their sign-in methods happen one after another.
 * Always in the order of their ids: two transactions that want the same ones cannot wait for each other.
 */
export async function lockUsers({ db }: Context, userIds: string[]): Promise<number> {
  const rows = await db.query(
    sql`select "objectId" from "_User" where "objectId" = any(${userIds}) order by "objectId" for update`,
  )
  return rows.length
}

/** Returns true if the account has nothing to confirm with: only the session and the id of a guest. */
export async function isOnlyAnonymous({ db }: Context, userId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from "_User" u
    where u."objectId" = ${userId} and u."_anonymous" is not null
      and u."_password_hash" is null and u."emailVerified" is not true
      and not exists (select from countersign.wallets where "user" = ${userId})
      and not exists (select from countersign.passkeys where "user" = ${userId})
      and not exists (select from countersign.identities where "user" = ${userId} and linked is not null)
      and not exists (select from countersign.recovery_codes where "user" = ${userId} and used is null)`)
  return rows.length > 0
}
