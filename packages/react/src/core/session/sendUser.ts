import type { WireFields, WireValue } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { isEqual } from '../wire/isEqual.ts'
import { isOperation } from '../wire/isOperation.ts'
import { readRecord, type UserFields } from '../wire/readRecord.ts'
import { refreshRecord } from './refreshRecord.ts'
import { renewCredential } from './renewCredential.ts'
import { selectFields } from './selectFields.ts'
import { updateCurrent } from './updateCurrent.ts'

/** Sends what differs from the record, and makes the answer the present one. */
export async function sendUser(
  client: Client,
  { objectId, ...record }: UserFields,
  fields: WireFields,
  signal: AbortSignal | undefined,
): Promise<void> {
  const before = new Map<string, WireValue>(Object.entries(record))
  const changed = selectFields(fields, (name, value) => isOperation(value) || !isEqual(before.get(name), value))
  if (Object.keys(changed).length === 0) return
  const answer = await request(client, 'updateUser', { ...changed, objectId }, { signal })
  const { current } = client.internal
  if (current?.record.objectId !== objectId) return
  const values = selectFields(changed, (_, value) => !isOperation(value))
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
