import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { decodeUser, type UserRow, userColumns } from './UserRow.ts'

/** A user that the caller may read. Others than the user itself do not learn the e-mail address. */
export async function getUser({ db, classes }: Context, caller: Caller, objectId: string): Promise<WireFields> {
  const schema = classes.get('_User')
  const self = caller.session?.userId === objectId
  const readers = caller.session ? ['*', caller.session.userId] : ['*']
  const [row] = await db.query<UserRow>({
    name: `get-user-${schema.version}`,
    text: `select ${userColumns(schema, 'u')} from "_User" u
           where u."objectId" = $1 and ($2 or u."_rperm" is null or u."_rperm" && $3)`,
    values: [objectId, caller.isMaster || self, readers],
  })
  if (!row) throw new CountersignError('ObjectNotFound', 'Object not found.')
  const user = decodeUser(schema, row)
  // The older clients drop their session when a fetch of the own user does not echo the token.
  if (self && caller.session) return { ...user, sessionToken: caller.session.token }
  if (caller.isMaster) return user
  const { email, emailVerified, ...open } = user
  return open
}
