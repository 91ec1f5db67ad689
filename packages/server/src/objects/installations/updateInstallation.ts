import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { readObject } from '../readObject.ts'
import { changeObject, type Updated } from '../updateObject.ts'
import { checkFixed } from './checkFixed.ts'
import { readDevice } from './readDevice.ts'
import { removeDevices, withDevices } from './withDevices.ts'

/** Changes a device by its row. What it is stays. */
export async function updateInstallation(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireFields,
): Promise<Updated> {
  const access = await accessOf(context, caller)
  const { fields, ids } = readDevice(caller, input, access, true)
  return withDevices(context, { ...ids, objectId }, async (known) => {
    const own = known.find((device) => device.objectId === objectId)
    if (!own) throw new CountersignError('ObjectNotFound', 'Object not found for update.')
    checkFixed(own, ids)
    if (
      ids.deviceToken !== undefined &&
      own.deviceToken !== null &&
      own.deviceToken !== ids.deviceToken &&
      ids.installationId === undefined &&
      own.installationId === null
    ) {
      throw new CountersignError('FieldMayNotChange', 'deviceToken may not be changed in this operation')
    }
    const answer = await changeObject(context, caller, '_Installation', objectId, readObject(fields))
    // The device behind a token has one row: the one that said so last.
    const others = known.filter((device) => device.objectId !== objectId && device.deviceToken === ids.deviceToken)
    if (ids.deviceToken !== undefined && own.deviceToken !== ids.deviceToken) await removeDevices(context, others)
    return answer
  })
}
