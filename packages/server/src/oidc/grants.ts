import type { Client, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { decrypt, hashToken } from '../keys/secrets.ts'

/**
 * Hash of a client as its users saw it at consent. If it changes, they are asked again, also after the end of a trust
 * under which they were not asked.
 */
function digestOf(client: Client, isTrusted = Boolean(client.isTrusted)): Buffer {
  const { clientName, clientUri, redirectUris = [], postLogoutRedirectUris = [] } = client
  const parts = [clientName ?? '', clientUri ?? '', [...redirectUris].sort(), [...postLogoutRedirectUris].sort()]
  return hashToken(JSON.stringify(isTrusted ? [...parts, 'trusted'] : parts))
}

/** Returns true if the grant is for the client as it is. A consent also counts for a client that is trusted by now. */
const isOf = (client: Client, digest: Buffer) =>
  [digestOf(client, false), ...(client.isTrusted ? [digestOf(client)] : [])].some((each) => each.equals(digest))

/** Grant of a user for a client; none if the client has changed since. */
export async function findGrant(
  { db, keys }: Context,
  provider: Provider,
  userId: string,
  client: Client,
): Promise<Grant | undefined> {
  const [row] = await db.query<{ content: Buffer; client_digest: Buffer | null }>(sql`
    select content, client_digest from countersign.oidc_records
    where model = 'Grant' and "user" = ${userId} and client = ${client.clientId}`)
  if (!row?.client_digest || !isOf(client, row.client_digest)) return undefined
  const text = decrypt(keys, 'oidc record', row.content)
  const id = text === undefined ? undefined : (JSON.parse(text) as { jti?: string }).jti
  return id === undefined ? undefined : provider.Grant.find(id)
}

/** Stores a grant with what lists of connected apps show. An account has one grant for a client. */
export async function saveGrant(context: Context, grant: Grant, client: Client): Promise<string> {
  const { db, clock } = context
  return db.transaction(async () => {
    // Consents of two browsers at the same time wait for each other.
    await db.query(sql`select from "_User" where "objectId" = ${grant.accountId} for no key update`)
    await db.query(sql`
      delete from countersign.oidc_records
      where "user" = ${grant.accountId} and client = ${client.clientId}
        and grant_id is distinct from ${grant.jti === undefined ? null : hashToken(grant.jti)}
        and model not in ('Session', 'Interaction')`)
    const id = await grant.save()
    const scopes = [
      grant.getOIDCScope(),
      ...Object.keys(grant.resources ?? {}).map((name) => grant.getResourceScope(name)),
    ]
    const names = [...new Set(scopes.flatMap((text) => text.split(' ')).filter(Boolean))]
    // A person's own consent stays one under a trust that adds nothing.
    await db.query(sql`
      update countersign.oidc_records
      set client_digest = case
          when client_digest = ${digestOf(client, false)} and scopes @> ${names} then client_digest
          else ${digestOf(client)}
        end,
        scopes = ${names}, last_used = ${clock.now()}
      where model = 'Grant' and id = ${hashToken(id)}`)
    return id
  })
}

const touchInterval = 5 * 60_000

/** Notes the use of a grant, at most every five minutes. */
export async function touchGrant({ db, clock }: Context, id: string): Promise<void> {
  const now = clock.now()
  await db.query(sql`
    update countersign.oidc_records set last_used = ${now}
    where model = 'Grant' and id = ${hashToken(id)}
      and (last_used is null or last_used < ${new Date(now.getTime() - touchInterval)})`)
}

type Wanted = {
  accountId: string
  client: Client
  grant: Grant | undefined
  params: Pick<KoaContextWithOIDC['oidc'], 'requestParamOIDCScopes' | 'requestParamScopes' | 'resourceServers'>
}

/** Grants a trusted client all that it requests. */
export async function grantAll(context: Context, provider: Provider, wanted: Wanted): Promise<Grant> {
  const { accountId, client, params } = wanted
  const grant = wanted.grant ?? new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope([...params.requestParamOIDCScopes].join(' '))
  for (const [resource, { scopes }] of Object.entries(params.resourceServers ?? {}))
    grant.addResourceScope(resource, [...params.requestParamScopes].filter((scope) => scopes.has(scope)).join(' '))
  await saveGrant(context, grant, client)
  return grant
}

/** Ends the access tokens of a grant that became narrower. Renewed ones have what is left. */
export async function endAccessTokens({ db }: Context, grantId: string): Promise<void> {
  await db.query(sql`
    delete from countersign.oidc_records where model = 'AccessToken' and grant_id = ${hashToken(grantId)}`)
}

/** Ends a grant with every token that came from it. */
export async function endGrant({ db }: Context, userId: string, idHash: Buffer): Promise<void> {
  await db.query(sql`delete from countersign.oidc_records where "user" = ${userId} and grant_id = ${idHash}`)
}

/** Days after which an app that was not used loses its access. */
const unusedDays = 400

export async function sweepOidc(db: Database, now: Date): Promise<void> {
  // A visit at the provider that was not used for long is no sign-out.
  await db.query(sql`update countersign.oidc_records set session = null where expires < ${now} and session is not null`)
  await db.query(sql`delete from countersign.oidc_records where expires < ${now}`)
  const unused = new Date(now.getTime() - unusedDays * 86_400_000)
  await db.query(sql`delete from countersign.oidc_records where model = 'Grant' and last_used < ${unused}`)
  await db.query(sql`delete from countersign.oidc_keys where retired < ${new Date(now.getTime() - 2 * 86_400_000)}`)
}
