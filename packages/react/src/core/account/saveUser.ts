import type { CountersignError, WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { missingUser, requireStrings, requireUser } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import { loadWriting } from '../documents/loadWriting.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { selectFields, updateCurrent } from '../session/currentSession.ts'
import type { AnyUserChanges, UserChanges } from '../values/Changes.ts'
import { encodeFields, isOperation } from '../values/encode.ts'
import type { User } from '../values/User.ts'

/** Fields that the server alone sets; they come along when an application hands a whole snapshot back. */
const fixed = new Set(['objectId', 'createdAt', 'updatedAt', 'sessionToken'])

/**
 * Saves fields of the user: only those that differ from the server's. The edit shows immediately and is reverted if the
 * server refuses it. Saves are sent one after another.
 *
 * @example
 * await saveUser(client, { favouriteColour: 'blue', birthday: new Date('1815-12-10') })
 */
export function saveUser<
  Given extends Callbacks<User, ActionError<'saveUser'>> = Callbacks<User, ActionError<'saveUser'>>,
>(client: Client, changes: UserChanges, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, async () => {
    const purpose = 'setting new data'
    const { record } = requireUser(client, purpose)
    requireStrings(changes as AnyUserChanges)
    const fields = selectFields(encodeFields(changes as AnyUserChanges), (name) => !fixed.has(name))
    // Plain values are shown before the response; the result of an operation comes from the server, and a password is
    // never shown.
    const edit = selectFields(fields, (name, value) => name !== 'password' && !isOperation(value))
    changeEdits(client, (edits) => [...edits, edit])
    const settle = () => changeEdits(client, (edits) => edits.filter((one) => one !== edit))
    return client.internal.queue
      .run(async () => {
        const { record: present } = requireUser(client, purpose)
        if (present.objectId !== record.objectId) throw noUserData()
        const { sendUser } = await loadWriting()
        await sendUser(client, present, fields, callbacks.signal)
        settle()
        const { user } = client.internal.current ?? {}
        if (user?.objectId !== record.objectId) throw noUserData()
        return user
      })
      .finally(settle)
  })
}

function changeEdits(client: Client, change: (edits: readonly WireFields[]) => readonly WireFields[]): void {
  const { current } = client.internal
  if (current) updateCurrent(client, { edits: change(current.edits) })
}

function noUserData(): CountersignError {
  return missingUser('save')
}
