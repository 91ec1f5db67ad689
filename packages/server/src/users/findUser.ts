import type { Context } from '../context/Context.ts'
import { type UserRow, userColumns } from './UserRow.ts'

/** A user by id, for whoever decided already that it may be seen. */
export async function findUser({ db, classes }: Context, objectId: string): Promise<UserRow | undefined> {
  const schema = classes.get('_User')
  const [row] = await db.query<UserRow>({
    name: `find-user-${schema.version}`,
    text: `select ${userColumns(schema, 'u')} from "_User" u where u."objectId" = $1`,
    values: [objectId],
  })
  return row
}
