import type { Context } from '../context/Context.ts'
import { nameKey } from './nameKey.ts'
import { type UserRow, userColumns } from './UserRow.ts'

/**
 * By user name or e-mail address. Where the name of one is the address of another, who confirmed the address is meant;
 * while nobody did, the name counts: an address that somebody only claims catches no sign-in. An
 * address that was added later counts once it is verified.
 */
export async function findUserByName(
  { db, classes, config }: Context,
  name: string,
  email?: string,
): Promise<UserRow | undefined> {
  const schema = classes.get('_User')
  const key = nameKey(name)
  const rows = await db.query<UserRow & { _username_key: string; _email_key: string | null }>({
    name: `find-user-by-name-${schema.version}`,
    text: `select ${userColumns(schema, 'u')}, u."_username_key", u."_email_key" from "_User" u where u."_username_key" = $1
             or u."_email_key" = $1 and (u."emailVerified" or u."_email_added" is null or not $2::boolean)`,
    values: [key, config.verifyUserEmails],
  })
  const fitting = email === undefined ? rows : rows.filter((row) => row._email_key === nameKey(email))
  const holder = fitting.find((row) => row._email_key === key && row.emailVerified)
  return holder ?? fitting.find((row) => row._username_key === key) ?? fitting[0]
}
