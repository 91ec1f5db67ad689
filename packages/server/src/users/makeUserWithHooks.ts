import { refuse, type WireChanges, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { ownAnswer, setBy } from '../hooks/ownAnswer.ts'
import { runAfter } from '../hooks/runAfter.ts'
import { runBefore } from '../hooks/runBefore.ts'
import { withoutPassword } from './describeUser.ts'
import { findUser } from './findUser.ts'
import { decodeUser } from './UserRow.ts'

const className = '_User'
const names = ['beforeSave', 'beforeSignUp', 'afterSave', 'afterSignUp'] as const
const none: ReadonlySet<string> = new Set()

export function hasSignUpHooks(context: Context): boolean {
  return names.some((name) => findHooks(context, name, className) !== undefined)
}

/** Makes a user with the application's hooks around it, in one transaction. `make` gets the changes that are theirs. */
export function makeUserWithHooks<Made extends WireFields & { objectId: string }>(
  context: Context,
  caller: Caller,
  object: WireFields,
  make: (own: WireChanges) => Promise<Made>,
): Promise<Made> {
  const run = async (hook: 'beforeSave' | 'beforeSignUp', known: WireFields) =>
    runBefore(findHooks(context, hook, className) ?? [], caller, { hook, className, object: known })
  return context.db.transaction(async () => {
    const saving = await run('beforeSave', object)
    const own = { ...saving, ...(await run('beforeSignUp', { ...object, ...setBy(saving) })) }
    const made = await make(own)
    const row = await findUser(context, made.objectId)
    if (!row) throw refuse('objectNotFound')
    // Fields that this very transaction added are not known to be read yet.
    const user = {
      ...withoutPassword({ ...object, ...setBy(own) }),
      ...decodeUser(context.classes.get(className), row),
    }
    const shown = { ...ownAnswer(own, none), ...made }
    await runAfter(context, caller, { hook: 'afterSave', className, object: user }, shown)
    await runAfter(context, caller, { hook: 'afterSignUp', className, object: user })
    return shown
  })
}
