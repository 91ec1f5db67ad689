import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { type BaseRow, columnNames, decodeRow } from '../classes/decodeRow.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'

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
export function userColumns(schema: ClassSchema, alias: string): string {
  return [...columnNames(schema), '_password_hash', '_anonymous'].map((name) => `${alias}."${name}"`).join(', ')
}

export function decodeUser(schema: ClassSchema, row: UserRow): WireFields {
  return decodeRow(schema, row)
}

/** A user as the wire has it, with the present addresses of files. */
export function encodeUser(context: Context, row: UserRow): WireFields {
  const schema = context.classes.get('_User')
  return fillFileUrls(context, schema, decodeUser(schema, row))
}

/** An account whose access lists name nobody was locked by the operator, or is to be deleted. */
export function isLocked(user: UserRow): boolean {
  return user._rperm?.length === 0 && user._wperm?.length === 0
}

/** The same in SQL, of a user that the statement calls `u`. No list at all is open to everyone. */
export const isLockedSql = `(u."_rperm" is not distinct from '{}' and u."_wperm" is not distinct from '{}')`
