import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Access } from '../roles/Access.ts'
import { accessOf } from '../roles/accessOf.ts'
import { type Created, insertObject } from './createObject.ts'
import { readObject } from './readObject.ts'
import { changeObject, type Updated } from './updateObject.ts'

type Known = { objectId: string; installationId: string | null; deviceToken: string | null; deviceType: string | null }
type Ids = { installationId: string | undefined; deviceToken: string | undefined; deviceType: string | undefined }

/** Says what a device is. The same installation, or the same device without one, is one row however often it is sent. */
export async function createInstallation(
  context: Context,
  caller: Caller,
  input: WireFields,
): Promise<{ isNew: true; answer: Created } | { isNew: false; answer: Updated & { objectId: string } }> {
  const access = await accessOf(context, caller)
  const { fields, ids } = readFields(caller, input, access)
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
      return { isNew: true, answer: await insertObject(context, access, '_Installation', readObject(fields)) }
    }
    const answer = await changeObject(context, access, '_Installation', target, readObject(fields))
    return { isNew: false, answer: { objectId: target, ...answer } }
  })
}

/** Changes a device by its row. What it is stays. */
export async function updateInstallation(
  context: Context,
  caller: Caller,
  objectId: string,
  input: WireFields,
): Promise<Updated> {
  const access = await accessOf(context, caller)
  const { fields, ids } = readFields(caller, input, access, true)
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
    const answer = await changeObject(context, access, '_Installation', objectId, readObject(fields))
    // The device behind a token has one row: the one that said so last.
    const others = known.filter((device) => device.objectId !== objectId && device.deviceToken === ids.deviceToken)
    if (ids.deviceToken !== undefined && own.deviceToken !== ids.deviceToken) await remove(context, others)
    return answer
  })
}

/** Which row stands for the device; `undefined` where a new one is needed. Rows that it replaces are deleted. */
async function settle(context: Context, known: Known[], own: Known | undefined, ids: Ids): Promise<string | undefined> {
  const sameToken = known.filter(
    ({ deviceToken, objectId }) =>
      ids.deviceToken !== undefined && deviceToken === ids.deviceToken && objectId !== own?.objectId,
  )
  const [first] = sameToken
  if (own) {
    if (sameToken.length === 1 && first && first.installationId === null) {
      await remove(context, [own])
      return first.objectId
    }
    if (own.deviceToken !== ids.deviceToken) await remove(context, sameToken)
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
  await remove(context, sameToken)
  return undefined
}

function checkFixed(own: Known, ids: Ids): void {
  for (const name of ['installationId', 'deviceType'] as const) {
    if (ids[name] !== undefined && own[name] !== null && own[name] !== ids[name]) {
      throw new CountersignError('FieldMayNotChange', `${name} may not be changed in this operation`)
    }
  }
}

/** Rows that may be the device's, held until the work is done: a device that says twice at once who it is stays one. */
async function withDevices<Result>(
  context: Context,
  { installationId, deviceToken, objectId }: Partial<Ids> & { objectId?: string },
  work: (known: Known[]) => Promise<Result>,
): Promise<Result> {
  const { db, classes } = context
  await classes.widen('_Installation', new Map(), { create: true })
  return db.transaction(async () => {
    for (const key of [installationId, deviceToken].filter((id) => id !== undefined).sort()) {
      await db.query({
        text: `select pg_advisory_xact_lock(hashtext('countersign:installation'), hashtext($1))`,
        values: [key],
      })
    }
    return work(
      await db.query<Known>({
        text: `select "objectId", "installationId", "deviceToken", "deviceType" from public."_Installation"
               where "installationId" = $1 or "deviceToken" = $2 or "objectId" = $3 limit 100`,
        values: [installationId ?? null, deviceToken ?? null, objectId ?? null],
      }),
    )
  })
}

async function remove({ db }: Context, devices: Known[]): Promise<void> {
  if (devices.length === 0) return
  await db.query({
    text: 'delete from public."_Installation" where "objectId" = any($1)',
    values: [devices.map(({ objectId }) => objectId)],
  })
}

function readFields(caller: Caller, input: WireFields, access: Access, isUpdate = false) {
  const fields = { ...input }
  const own = isUpdate || access.isMaster ? undefined : caller.installationId
  const installationId = readText('installationId', fields.installationId ?? own)?.toLowerCase()
  const token = readText('deviceToken', fields.deviceToken)
  // Tokens of Apple's are hexadecimal: the case says nothing.
  const deviceToken = token?.length === 64 ? token.toLowerCase() : token
  const deviceType = readText('deviceType', fields.deviceType)
  if (installationId !== undefined) fields.installationId = installationId
  if (deviceToken !== undefined) fields.deviceToken = deviceToken
  return { fields, ids: { installationId, deviceToken, deviceType } }
}

function readText(name: string, value: WireValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '' && value.length <= 4096) return value
  // A delete, or a value of another kind: what tells devices apart is a text.
  throw new CountersignError('IncorrectType', `schema mismatch for _Installation.${name}; expected String`)
}
