import type { WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { type BaseRow, columnNames, decodeRow } from '../classes/decodeRow.ts'

/** A row of `_User`. Columns that start with `_` never leave the server. */
export type UserRow = BaseRow & {
  username: string
  email: string | null
  emailVerified: boolean | null
  _password_hash: string | null
} & Record<string, unknown>

/** The select list for a user, prefixed by the table's alias. */
export function userColumns(schema: ClassSchema, alias: string): string {
  return [...columnNames(schema), '_password_hash'].map((name) => `${alias}."${name}"`).join(', ')
}

export function decodeUser(schema: ClassSchema, row: UserRow): WireFields {
  return decodeRow(schema, row)
}
