import { type ConnectedApp, refuse } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { recordActivity } from '../users/activity.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import { endGrant } from './grants.ts'
import { notifyApp } from './startSignOuts.ts'

type AppRow = {
  id: Buffer
  client: string
  name: string | null
  website: string | null
  scopes: string[] | null
  created: Date
  last_used: Date | null
}

/** Applications with access to an account, those used last first. */
async function listConnectedApps({ db }: Context, userId: string): Promise<ConnectedApp[]> {
  const rows = await db.query<AppRow>(sql`
    select r.id, r.client, c.name, r.scopes, r.created, r.last_used,
      -- The website of a client that registered itself is its own claim.
      case when c.is_registered then c.metadata -> 'redirect_uris' ->> 0 else c.metadata ->> 'client_uri' end as website
    from countersign.oidc_records r
    left join countersign.oidc_clients c on c.id = r.client
    where r.model = 'Grant' and r."user" = ${userId}
    order by r.last_used desc nulls last, r.created desc
    limit 200`)
  return rows.map(({ id, client, name, website, scopes, created, last_used }) => {
    // The id of a client with a document is the address of that document.
    const address = website ?? client
    return {
      id: id.toString('hex'),
      clientId: client,
      name: name ?? (URL.canParse(client) ? new URL(client).host : client),
      ...(URL.canParse(address) && { host: new URL(address).host }),
      scopes: scopes ?? [],
      connectedAt: created.toISOString(),
      ...(last_used && { lastUsedAt: last_used.toISOString() }),
    }
  })
}

export const listConnectedAppsEndpoint = defineEndpoint('listConnectedApps', {
  async handle({ context, caller }) {
    return { results: await listConnectedApps(context, requireSession(caller).userId) }
  },
})

export const disconnectAppEndpoint = defineEndpoint('disconnectApp', {
  async handle({ context, caller, params: { id } }) {
    const { userId } = requireSession(caller)
    return context.db.transaction(async () => {
      const app = (await listConnectedApps(context, userId)).find((each) => each.id === id)
      if (!app) throw refuse('objectNotFound')
      await endGrant(context, userId, Buffer.from(id, 'hex'))
      context.db.afterCommit(() =>
        context.background.run('notice of a sign-out', async () => {
          await notifyApp(context, { clientId: app.clientId, accountId: userId })
        }),
      )
      await recordActivity(context, caller, userId, 'disconnectApp', { app: app.name })
      return {}
    })
  },
})
