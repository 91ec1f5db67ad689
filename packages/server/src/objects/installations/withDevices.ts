import type { Context } from '../../context/Context.ts'
import type { Device, DeviceIds } from './Device.ts'

/** Rows that may be the device's, held until the work is done: a device that says twice at once who it is stays one. */
export async function withDevices<Result>(
  context: Context,
  { installationId, deviceToken, objectId }: Partial<DeviceIds> & { objectId?: string },
  work: (known: Device[]) => Promise<Result>,
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
      await db.query<Device>({
        text: `select "objectId", "installationId", "deviceToken", "deviceType" from public."_Installation"
               where "installationId" = $1 or "deviceToken" = $2 or "objectId" = $3 limit 100`,
        values: [installationId ?? null, deviceToken ?? null, objectId ?? null],
      }),
    )
  })
}

export async function removeDevices({ db }: Context, devices: Device[]): Promise<void> {
  if (devices.length === 0) return
  await db.query({
    text: 'delete from public."_Installation" where "objectId" = any($1)',
    values: [devices.map(({ objectId }) => objectId)],
  })
}
