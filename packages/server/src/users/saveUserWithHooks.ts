import { refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { layOver } from '../hooks/layOver.ts'
import { ownAnswer } from '../hooks/ownAnswer.ts'
import { runAfter } from '../hooks/runAfter.ts'
import { runBefore } from '../hooks/runBefore.ts'
import { describeUser, withoutPassword } from './describeUser.ts'
import { findUser } from './findUser.ts'
import { lockUsers } from './lockUsers.ts'
import { readUserFields, type UserFields } from './readUserFields.ts'
import { decodeUser } from './UserRow.ts'

const className = '_User'

export function hasUserHooks(context: Context): boolean {
  return (
    findHooks(context, 'beforeSave', className) !== undefined ||
    findHooks(context, 'afterSave', className) !== undefined
  )
}

/** A change of a user with the application's hooks around it: what they write before it is kept or undone with it. */
export function saveUserWithHooks(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireChanges,
  change: (fields: UserFields) => Promise<WireFields>,
): Promise<WireFields> {
  return context.db.transaction(async () => {
    await lockUsers(context, [objectId])
    const original = await getUser(context, objectId)
    const told = { className, original }
    const object = describeUser(original, readUserFields(caller, input))
    const handlers = findHooks(context, 'beforeSave', className) ?? []
    const own = await runBefore(handlers, caller, { ...told, hook: 'beforeSave', object })
    // What the caller may not write was refused before; what hooks add is the operator's own.
    const fields = readUserFields({ ...caller, isMaster: true }, layOver(input, own))
    const answer = await change(fields)
    const shown = { ...ownAnswer(own, new Set()), ...answer }
    // Fields that this very transaction added are not known to be read yet.
    const saved = { ...withoutPassword(describeUser(original, fields)), ...(await getUser(context, objectId)) }
    await runAfter(context, caller, { ...told, hook: 'afterSave', object: saved }, shown)
    return shown
  })
}

async function getUser(context: Context, objectId: string): Promise<WireFields> {
  const row = await findUser(context, objectId)
  if (!row) throw refuse('objectNotFound')
  return decodeUser(context.classes.get(className), row)
}
