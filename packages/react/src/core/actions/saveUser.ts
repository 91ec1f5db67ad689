import type { CountersignError, WireFields, WireValue } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { encodeFields } from '../encodeFields.ts'
import { missingUser } from '../missingUser.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { requireStrings } from '../requireStrings.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshRecord } from '../session/refreshRecord.ts'
import { renewCredential } from '../session/renewCredential.ts'
import { updateCurrent } from '../session/updateCurrent.ts'
import type { User, UserChanges } from '../User.ts'
import { isEqual } from '../wire/isEqual.ts'
import { isOperation } from '../wire/isOperation.ts'
import { readRecord, type UserFields } from '../wire/readRecord.ts'

/** Fields that the server alone sets; they come along when an application hands a whole snapshot back. */
const fixed = new Set(['objectId', 'createdAt', 'updatedAt', 'sessionToken'])

/**
 * Saves fields of the user: only those that differ from what the server has. The edit shows at once and is taken back
 * if the server refuses it. Saves are sent one after another.
 *
 * @example
 * await saveUser(client, { favouriteColour: 'blue', birthday: new Date('1815-12-10') })
 */
export function saveUser(
  client: Client,
  changes: UserChanges,
  callbacks: Callbacks<User> = {},
): Promise<User | undefined> {
  return runAction(client, callbacks, async () => {
    const purpose = 'setting new data'
    const { record } = requireUser(client, purpose)
    requireStrings(changes)
    const fields = select(encodeFields(changes), (name) => !fixed.has(name))
    // What is shown before the answer: plain values; an operation's result is the server's to tell, a password no one's.
    const edit = select(fields, (name, value) => name !== 'password' && !isOperation(value))
    changeEdits(client, (edits) => [...edits, edit])
    const settle = () => changeEdits(client, (edits) => edits.filter((one) => one !== edit))
    return client.internal.queue
      .run(async () => {
        const { record: present } = requireUser(client, purpose)
        if (present.objectId !== record.objectId) throw noUserData()
        await send(client, present, fields, callbacks.signal)
        settle()
        const { user } = client.internal.current ?? {}
        if (user?.objectId !== record.objectId) throw noUserData()
        return user
      })
      .finally(settle)
  })
}

async function send(
  client: Client,
  { objectId, ...record }: UserFields,
  fields: WireFields,
  signal: AbortSignal | undefined,
): Promise<void> {
  const before = new Map<string, WireValue>(Object.entries(record))
  const changed = select(fields, (name, value) => isOperation(value) || !isEqual(before.get(name), value))
  if (Object.keys(changed).length === 0) return
  const answer = await request(client, 'updateUser', { ...changed, objectId }, { signal })
  const { current } = client.internal
  if (current?.record.objectId !== objectId) return
  const values = select(changed, (_, value) => !isOperation(value))
  const saved = readRecord({ ...current.record, ...values, ...answer, objectId })
  if (Object.hasOwn(changed, 'password')) {
    renewCredential(client, requireConnection(client), answer.sessionToken)
    client.internal.readings.get('listSessions')?.invalidate()
  }
  updateCurrent(client, { record: saved })
  // Operations, and a new address that has yet to be verified, change more than was sent.
  if (Object.hasOwn(changed, 'email') || Object.values(changed).some(isOperation)) {
    await refreshRecord(client, signal).catch(() => undefined)
  }
}

function changeEdits(client: Client, change: (edits: readonly WireFields[]) => readonly WireFields[]): void {
  const { current } = client.internal
  if (current) updateCurrent(client, { edits: change(current.edits) })
}

function select(fields: WireFields, keep: (name: string, value: WireValue) => boolean): WireFields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => keep(name, value)))
}

function noUserData(): CountersignError {
  return missingUser('save')
}
