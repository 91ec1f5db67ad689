import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { respond } from '../endpoint/respond.ts'
import { type Access, accessOf } from '../roles/accessOf.ts'
import { type Created, insertObject } from './createObject.ts'
import { deleteObject } from './deleteObject.ts'
import { bindDevice, refuseForeignChange } from './devices.ts'
import { type ObjectInput, readObject } from './readObject.ts'
import { changeObject, type Updated } from './updateObject.ts'

/** A device as its row tells it apart from others. */
export type Device = {
  objectId: string
  installationId: string | null
  deviceToken: string | null
  deviceType: string | null
}

/** Ids of a device in a request. */
export type DeviceIds = {
  installationId: string | undefined
  deviceToken: string | undefined
  deviceType: string | undefined
}

/** The input of both endpoints, parsed by their contract. */
type DeviceInput = Record<string, WireValue | undefined> & {
  [Name in keyof DeviceIds]?: string | null | undefined
}

/** The fields of a device with its identifiers in one spelling. A client that sends none means itself. */
function readDevice(
  caller: Caller,
  input: DeviceInput,
  access: Access,
  isUpdate = false,
): { object: ObjectInput; ids: DeviceIds } {
  const fields = { ...input } as WireFields
  const own = isUpdate || access.isMaster ? undefined : caller.installationId
  const installationId = (input.installationId ?? own)?.toLowerCase()
  const token = input.deviceToken ?? undefined
  // Tokens of Apple's are hexadecimal: the case says nothing.
  const deviceToken = token?.length === 64 ? token.toLowerCase() : token
  const deviceType = input.deviceType ?? undefined
  if (installationId !== undefined) fields.installationId = installationId
  // Ends pushes: null would be stored as an empty token.
  if (input.deviceToken === null) fields.deviceToken = { __op: 'Delete' } as unknown as WireValue
  if (deviceToken !== undefined) fields.deviceToken = deviceToken
  const object = readObject(fields)
  if (!access.isMaster) refuseOtherUser(object, access.userId)
  return { object, ids: { installationId, deviceToken, deviceType } }
}

/** Pushes to a user go to the devices that name the user: nobody names another, whichever operation sets the field. */
function refuseOtherUser({ changes }: ObjectInput, userId: string | undefined): void {
  for (const change of changes) {
    if (change.field !== 'user' || !('value' in change)) continue
    const user = change.value as { className?: unknown; objectId?: unknown } | null
    if (user?.className === '_User' && user.objectId !== userId)
      throw new CountersignError('OperationForbidden', 'The user of a device must be the user who is signed in on it.')
  }
}

/** Rejects a change of fields that are fixed once set. */
function checkFixed(own: Device, ids: DeviceIds): void {
  for (const name of ['installationId', 'deviceType'] as const) {
    if (ids[name] !== undefined && own[name] !== null && own[name] !== ids[name]) {
      throw new CountersignError('FieldMayNotChange', `${name} may not be changed in this operation`)
    }
  }
}

/** Locks the rows that may be the device's: concurrent registrations of one device stay one row. */
async function withDevices<Result>(
  context: Context,
  { installationId, deviceToken, objectId }: Partial<DeviceIds> & { objectId?: string },
  work: (known: Device[]) => Promise<Result>,
): Promise<Result> {
  const { db, classes } = context
  await classes.widen('_Installation', new Map(), { create: true })
  return db.transaction(async () => {
    for (const key of [installationId, deviceToken].filter((id) => id !== undefined).sort()) {
      await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:installation'), hashtext(${key}))`)
    }
    return work(
      await db.query<Device>(sql`
        select "objectId", "installationId", "deviceToken", "deviceType" from public."_Installation"
        where "installationId" = ${installationId ?? null}
          or "deviceToken" = ${deviceToken ?? null}
          or "objectId" = ${objectId ?? null}
        limit 100`),
    )
  })
}

async function removeDevices({ db }: Context, devices: Device[]): Promise<void> {
  if (devices.length === 0) return
  const ids = devices.map(({ objectId }) => objectId)
  await db.query(sql`delete from public."_Installation" where "objectId" = any(${ids})`)
  await db.query(sql`delete from countersign.devices where device = any(${ids})`)
  db.reportChange('_Installation')
}

/** Registers a device. The same installation, or the same device without one, is one row for any number of requests. */
async function createInstallation(
  context: Context,
  caller: Caller,
  input: DeviceInput,
): Promise<{ isNew: true; answer: Created } | { isNew: false; answer: Updated & { objectId: string } }> {
  const access = await accessOf(context, caller)
  const { object, ids } = readDevice(caller, input, access)
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
    // The id, or the token of a device without one, is known to the device alone.
    for (const { objectId, installationId } of known)
      await refuseForeignChange(context, caller, objectId, installationId ?? undefined)
    const target = await settle(context, known, own, ids)
    if (target === undefined) {
      if (ids.deviceType === undefined) {
        throw new CountersignError('MissingRequiredField', 'deviceType must be specified in this operation')
      }
      const made = await insertObject(context, caller, '_Installation', object)
      await bindDevice(context, caller, made.objectId)
      return { isNew: true, answer: made }
    }
    const answer = await changeObject(context, caller, '_Installation', target, object)
    await bindDevice(context, caller, target)
    return { isNew: false, answer: { objectId: target, ...answer } }
  })
}

/** Finds the device's row; `undefined` if a new one is needed. Deletes rows that it replaces. */
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

/** Changes a device by its row. What it is stays. */
async function updateInstallation(
  context: Context,
  caller: Caller,
  objectId: string,
  input: DeviceInput,
): Promise<Updated> {
  const access = await accessOf(context, caller)
  const { object, ids } = readDevice(caller, input, access, true)
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
    await refuseForeignChange(context, caller, objectId, ids.installationId)
    const answer = await changeObject(context, caller, '_Installation', objectId, object)
    await bindDevice(context, caller, objectId)
    // The device behind a token has one row: the one that said so last.
    const others = known.filter((device) => device.objectId !== objectId && device.deviceToken === ids.deviceToken)
    if (ids.deviceToken !== undefined && own.deviceToken !== ids.deviceToken) await removeDevices(context, others)
    return answer
  })
}

export const createInstallationEndpoint = defineEndpoint('createInstallation', {
  location: (output) => `/installations/${(output as { objectId: string }).objectId}`,
  async handle({ context, caller, input }) {
    const { isNew, answer } = await createInstallation(context, caller, input)
    return isNew ? respond(answer, { status: 201 }) : answer
  },
})

export const updateInstallationEndpoint = defineEndpoint('updateInstallation', {
  handle: ({ context, caller, input, params }) => updateInstallation(context, caller, params.objectId, input),
})

export const deleteInstallationEndpoint = defineEndpoint('deleteInstallation', {
  handle: ({ context, caller, params }) => deleteObject(context, caller, '_Installation', params.objectId),
})
