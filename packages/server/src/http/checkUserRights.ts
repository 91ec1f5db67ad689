import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { decide } from '../permissions/decide.ts'
import { accessOf } from '../roles/accessOf.ts'
import { derivedFields } from '../users/readUserFields.ts'
import type { Body } from './readBody.ts'

/** What is no field of its own, or has rules of its own. */
const known = new Set([
  'objectId',
  'createdAt',
  'updatedAt',
  'ACL',
  'password',
  'authData',
  'sessionToken',
  ...derivedFields,
])

/** What the permissions of the class say to a write of a user. That it is the caller's own comes on top. */
export async function checkUserRights(
  context: Context,
  caller: Caller,
  operation: 'create' | 'update' | 'delete',
  input: Body,
): Promise<void> {
  const { permissions, ...schema } = context.classes.get('_User')
  if (!permissions || caller.isMaster) return
  const access = await accessOf(context, caller)
  const names = Object.keys(input).map((key) => key.split('.')[0] ?? key)
  const adds = names.some((name) => !known.has(name) && !schema.fields.has(name) && !schema.relations.has(name))
  for (const wanted of adds ? ([operation, 'addField'] as const) : ([operation] as const)) {
    if (decide({ ...schema, permissions }, access, wanted).rows === 'all') continue
    throw new CountersignError('OperationForbidden', `Permission denied for action ${wanted} on class _User.`)
  }
}
