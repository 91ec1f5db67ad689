import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { type Created, insertObject } from '../createObject.ts'
import { readObject } from '../readObject.ts'
import { changeObject, type Updated } from '../updateObject.ts'
import { checkFixed } from './checkFixed.ts'
import type { Device, DeviceIds } from './Device.ts'
import { readDevice } from './readDevice.ts'
import { removeDevices, withDevices } from './withDevices.ts'

/** Says what a device is. The same installation, or the same device without one, is one row however often it is sent. */
export async function createInstallation(
  context: Context,
  caller: Caller,
  input: WireFields,
): Promise<{ isNew: true; answer: Created } | { isNew: false; answer: Updated & { objectId: string } }> {
  const access = await accessOf(context, caller)
  const { fields, ids } = readDevice(caller, input, access)
  if (ids.installationId === undefined && ids.deviceToken === undefined) {
    throw new CountersignError(
      'MissingRequiredField',
      'at least one ID field (deviceToken, installationId) must be specified in this operation',
    )
  }
  return withDevices(context, ids, async (known) => {
    const own = known.find(({ installationId }) => installationId !== null && installationId === ids.installationId)
    if (own) checkFixed(own, ids)
    else if (ids.deviceType === undefined && known.length === 0) {
      throw new CountersignError('MissingRequiredField', 'deviceType must be specified in this operation')
    }
    const target = await settle(context, known, own, ids)
    if (target === undefined) {
      if (ids.deviceType === undefined) {
        throw new CountersignError('MissingRequiredField', 'deviceType must be specified in this operation')
      }
      return { isNew: true, answer: await insertObject(context, caller, '_Installation', readObject(fields)) }
    }
    const answer = await changeObject(context, caller, '_Installation', target, readObject(fields))
    return { isNew: false, answer: { objectId: target, ...answer } }
  })
}

/** Which row stands for the device; `undefined` where a new one is needed. Rows that it replaces are deleted. */
async function settle(
  context: Context,
  known: Device[],
  own: Device | undefined,
  ids: DeviceIds,
): Promise<string | undefined> {
  const sameToken = known.filter(
    ({ deviceToken, objectId }) =>
      ids.deviceToken !== undefined && deviceToken === ids.deviceToken && objectId !== own?.objectId,
  )
  const [first] = sameToken
  if (own) {
    if (sameToken.length === 1 && first && first.installationId === null) {
      await removeDevices(context, [own])
      return first.objectId
    }
    if (own.deviceToken !== ids.deviceToken) await removeDevices(context, sameToken)
    return own.objectId
  }
  if (!first) return undefined
  if (sameToken.length === 1 && (first.installationId === null || ids.installationId === undefined)) {
    return first.objectId
  }
  if (ids.installationId === undefined) {
    throw new CountersignError(
      'InstallationIdMissing',
      'Must specify installationId when deviceToken matches multiple Installation objects',
    )
  }
  await removeDevices(context, sameToken)
  return undefined
}
