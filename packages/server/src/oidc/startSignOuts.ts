import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decrypt } from '../keys/secrets.ts'
import { createPoller } from '../work/createPoller.ts'
import { getProvider } from './getProvider.ts'

type SignedOut = { accountId?: string; authorizations?: { [clientId: string]: { sid?: string } } }

/** Time (ms) until an app that failed is notified again, and after which it is given up. */
const retryAfter = 60_000
const givenUpAfter = 10 * 60_000

/**
 * Tells apps that a session has ended (back-channel logout): by signing out here, by an end of the session from
 * elsewhere, with the account. Triggers note the sessions, so that none is missed; of several servers one sends.
 */
export async function startSignOuts(context: Context): Promise<() => Promise<void>> {
  if (!context.config.oidc.enabled) return async () => undefined
  const { db, log } = context
  const poller = createPoller({ log, name: 'sign-outs of apps', turn: () => notifyApps(context), poll: retryAfter })
  const unlisten = await db.listen('countersign_sign_outs', poller.wake, poller.wake)
  return async () => {
    await unlisten()
    await poller.stop()
  }
}

async function notifyApps(context: Context): Promise<void> {
  const { db, keys } = context
  const rows = await db.query<{ id: string; content: Buffer }>(sql`
    update countersign.oidc_sign_outs set due = now() + ${retryAfter} * interval '1 millisecond'
    where id in (
      select id from countersign.oidc_sign_outs where due <= now() order by id limit 100 for update skip locked
    )
    returning id::text, content`)
  for (const { id, content } of rows) {
    const text = decrypt(keys, 'oidc record', content)
    const isDone = text === undefined || (await notifyAppsOf(context, JSON.parse(text)))
    await db.query(sql`
      delete from countersign.oidc_sign_outs
      where id = ${id}::bigint
        and (${isDone}::boolean or created < now() - ${givenUpAfter} * interval '1 millisecond')`)
  }
}

async function notifyAppsOf(context: Context, { accountId, authorizations = {} }: SignedOut): Promise<boolean> {
  if (accountId === undefined) return true
  const sent = await Promise.all(
    Object.entries(authorizations).map(([clientId, { sid }]) => notifyApp(context, { clientId, accountId, sid })),
  )
  return sent.every(Boolean)
}

/** Sends the notice of a sign-out to one app, if it wants any. `false` if the app did not take it. */
export async function notifyApp(
  context: Context,
  { clientId, accountId, sid }: { clientId: string; accountId: string; sid?: string | undefined },
): Promise<boolean> {
  const provider = await getProvider(context)
  try {
    const client = (await provider.Client.find(clientId)) as
      | { backchannelLogoutUri?: string; backchannelLogout(sub: string, sid: string | undefined): Promise<void> }
      | undefined
    if (client?.backchannelLogoutUri) await client.backchannelLogout(accountId, sid)
    return true
  } catch (error) {
    context.log.warn({ err: error, client: clientId }, 'a client did not take the notice of a sign-out')
    return false
  }
}
