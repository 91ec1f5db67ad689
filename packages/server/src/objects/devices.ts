import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

/* Devices belong to the session that registered them, and end with it: with a sign-out from elsewhere, a new
   password, a takeover by mail, a merge, a deletion. A thief who registers a device in a stolen session must not
   keep receiving the owner's pushes. Devices without a session, as those of older installations, stay unchanged. */

type Owned = {
  installationId: string | null
  /** The user that the row names, and the one whose session registered it. */
  named: string | null
  bound: string | null
  /** True if the session that registered it, or another of that user on the same device, is open. */
  isOpen: boolean
}

async function findOwned({ db, clock }: Context, objectId: string): Promise<Owned | undefined> {
  const [row] = await db.query<Owned>(sql`
    select i."installationId", to_jsonb(i.*) ->> 'user' as named, d."user" as bound, exists (
      select from "_Session" s
      where s."user" = d."user" and s."expiresAt" > ${clock.now()}
        and (s."objectId" = d.session or lower(s."installationId") = i."installationId")) as "isOpen"
    from public."_Installation" i
    left join countersign.devices d on d.device = i."objectId"
    where i."objectId" = ${objectId}`)
  return row
}

/** Only the device itself, its user and the master key see a device: its keys encrypt what is pushed to it. */
export async function refuseForeignDevice(context: Context, caller: Caller, objectId: string): Promise<void> {
  if (caller.isMaster) return
  const device = context.classes.find('_Installation') && (await findOwned(context, objectId))
  const userId = caller.session?.userId
  const isUser = device !== undefined && userId !== undefined && (device.bound ?? device.named) === userId
  if (!device || !(isUser || isDevice(device, caller.installationId))) throw refuse('objectNotFound')
}

function isDevice({ installationId }: Owned, said: string | undefined): boolean {
  return installationId !== null && said?.toLowerCase() === installationId
}

/**
 * Stops users from redirecting pushes of others: while its user is signed in, a device is changed by that user or by
 * the device itself without a session, never by another user. A user's device is not changed by its row id alone.
 */
export async function refuseForeignChange(
  context: Context,
  caller: Caller,
  objectId: string,
  said: string | undefined,
): Promise<void> {
  if (caller.isMaster) return
  const device = await findOwned(context, objectId)
  if (!device) return
  const owner = device.bound ?? device.named
  const userId = caller.session?.userId
  if (owner === null || owner === userId) return
  const isSame = isDevice(device, said ?? caller.installationId)
  if (!isSame) throw new CountersignError('ObjectNotFound', 'Object not found for update.')
  if (userId !== undefined && device.isOpen)
    throw new CountersignError('OperationForbidden', 'Another user is signed in on this device.')
}

/** Notes which session a device was registered in. In the transaction of the change. */
export async function bindDevice(context: Context, caller: Caller, objectId: string): Promise<void> {
  const { db } = context
  const { session, isMaster } = caller
  if (session) {
    await db.query(sql`
      insert into countersign.devices (device, "user", session)
      values (${objectId}, ${session.userId}, ${session.objectId})
      on conflict (device) do update set "user" = excluded."user", session = excluded.session`)
    return
  }
  if (isMaster) return
  const device = await findOwned(context, objectId)
  if (!device?.bound || device.isOpen) return
  // A guest's from now on: what was sent to the user before is not for it.
  await db.query(sql`delete from countersign.devices where device = ${objectId}`)
  if (!context.classes.find('_Installation')?.fields.has('user')) return
  await db.query(sql`update public."_Installation" set "user" = null where "objectId" = ${objectId}`)
  db.reportChange('_Installation')
}

type Target = { objectId: string; [field: string]: unknown }

/** Devices that get no push: their session was ended, or they name a user who is not signed in there any more. */
export async function findEndedDevices<Device extends Target>(
  { db, clock }: Context,
  devices: Device[],
  isWeb: (device: Device) => boolean,
): Promise<Set<Device>> {
  const bindings = await db.query<{ device: string; user: string; session: string | null }>(sql`
    select device, "user", session from countersign.devices
    where device = any(${devices.map(({ objectId }) => objectId)}::text[])`)
  const bound = new Map(bindings.map((binding) => [binding.device, binding]))
  const namedBy = ({ user }: Device) => {
    const { objectId } = Object(user) as { objectId?: unknown }
    return typeof objectId === 'string' ? objectId : undefined
  }
  const users = [...bindings.map(({ user }) => user), ...devices.flatMap((device) => namedBy(device) ?? [])]
  if (users.length === 0) return new Set()
  const sessions = await db.query<{ objectId: string; user: string; installation: string | null }>(sql`
    select "objectId", "user", lower("installationId") as installation from "_Session"
    where "user" = any(${users}::text[]) and "expiresAt" > ${clock.now()}`)
  const open = new Set(
    sessions.flatMap(({ objectId, user, installation }) => [`${user} ${objectId}`, `${user}/${installation}`]),
  )
  const isSignedIn = (user: string, { installationId }: Device, session: string | null | undefined) =>
    open.has(`${user} ${session}`) || (typeof installationId === 'string' && open.has(`${user}/${installationId}`))
  return new Set(
    devices.filter((device) => {
      const binding = bound.get(device.objectId)
      const named = namedBy(device)
      if (binding?.session && !isSignedIn(binding.user, device, binding.session)) return true
      if (named === undefined || !(binding || isWeb(device))) return false
      return !isSignedIn(named, device, binding?.user === named ? binding.session : undefined)
    }),
  )
}
