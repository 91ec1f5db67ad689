import type { ClassSchema } from '../classes/ClassSchema.ts'
import { derivedFields } from '../users/readUserFields.ts'
import type { UserRow } from '../users/UserRow.ts'

/** What makes an account itself never moves. */
const own = new Set(['username', 'email', 'emailVerified', ...derivedFields])

/** The fields that a merge would copy because the surviving account lacks them, and those where its own stay. */
export function mergeFields(schema: ClassSchema, from: UserRow, into: UserRow): { copied: string[]; kept: string[] } {
  const given = [...schema.fields.keys()].filter(
    (name) => !own.has(name) && from[name] !== null && from[name] !== undefined,
  )
  // A field that was set to null on purpose is not one that is lacking.
  const lacks = (name: string) => (into[name] === null || into[name] === undefined) && !into._nulls?.includes(name)
  return { copied: given.filter(lacks), kept: given.filter((name) => !lacks(name)) }
}
