import { timingSafeEqual } from 'node:crypto'
import { type OidcClientRecord, refuse } from '@countersign/protocol'
import type { AdapterPayload } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint, type InputOf } from '../endpoint/defineEndpoint.ts'
import { hashToken, newToken } from '../keys/secrets.ts'
import { refuseHidden } from '../users/hiddenCharacters.ts'

type ClientRow = {
  id: string
  name: string
  metadata: { [name: string]: unknown }
  secret_hash: Buffer | null
  is_trusted: boolean
  is_registered: boolean
  created: Date
  changed: Date
  users: number
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Maximum clients. Registration would fill the table otherwise. */
const mostClients = 10_000

const ofId = (id: string) => sql`
  select c.*, (
    select count(*)::int from countersign.oidc_records r where r.model = 'Grant' and r.client = c.id
  ) as users
  from countersign.oidc_clients c where c.id = ${id}`

/** The client as the provider reads it. In place of the secret it gets the hash, which `isSecretOf` compares. */
export async function findClientMetadata({ db }: Context, id: string): Promise<AdapterPayload | undefined> {
  if (id.length > 200 || id.includes('\0')) return undefined
  const [row] = await db.query<Omit<ClientRow, 'users'>>(sql`select * from countersign.oidc_clients where id = ${id}`)
  if (!row) return undefined
  return {
    ...row.metadata,
    client_id: row.id,
    client_name: row.name,
    isTrusted: row.is_trusted,
    isRegistered: row.is_registered,
    ...(row.secret_hash && { client_secret: row.secret_hash.toString('hex') }),
  } as AdapterPayload
}

/** A stranger's text as one line, without characters that hide or reverse others: a name must not imitate the page. */
function shownName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u2800]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .slice(0, 80)
}

/** Name of a client for pages, mails and lists. */
export const nameOf = ({ clientName, clientId }: { clientName?: string | undefined; clientId: string }): string =>
  shownName(clientName ?? '') || shownName(clientId)

export function isSecretOf({ clientSecret }: { clientSecret?: string | undefined }, given: string): boolean {
  const kept = Buffer.from(clientSecret ?? '', 'hex')
  const hash = hashToken(given)
  return kept.length === hash.length && timingSafeEqual(kept, hash)
}

/** Stores a client that registered itself. It is never trusted. */
export async function keepRegisteredClient(
  { db, clock }: Context,
  id: string,
  { client_name, client_secret, client_id: _id, isTrusted: _, isRegistered: __, ...metadata }: AdapterPayload,
): Promise<void> {
  const [kept] = await db.query<{ count: number }>(sql`select count(*)::int as count from countersign.oidc_clients`)
  if ((kept?.count ?? 0) >= mostClients) throw refuse('tooManyOidcClients', { most: mostClients })
  const [address = ''] = (metadata.redirect_uris ?? []) as string[]
  const name = shownName(String(client_name ?? '')) || (URL.canParse(address) ? new URL(address).host : id)
  const secret = typeof client_secret === 'string' ? hashToken(client_secret) : null
  await db.query(sql`
    insert into countersign.oidc_clients
      (id, name, metadata, secret_hash, is_trusted, is_registered, created, changed)
    values (${id}, ${name}, ${metadata}, ${secret}, false, true, ${clock.now()}, ${clock.now()})
    on conflict (id) do nothing`)
}

/** Deletes a client with everything that people gave it. */
export async function removeClient({ db }: Context, id: string): Promise<boolean> {
  return db.transaction(async () => {
    await db.query(sql`delete from countersign.oidc_records where client = ${id}`)
    const removed = await db.query(sql`delete from countersign.oidc_clients where id = ${id} returning 1 as one`)
    return removed.length > 0
  })
}

type Given = InputOf<'createOidcClient'>

/** Loopback addresses may be http; other schemes than https belong to native apps. */
const isLoopback = (address: string) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/|$)/.test(address)

function checkRedirect(address: string, kind: Given['kind']): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isApp = kind === 'public' && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url?.protocol ?? '')
  const isAllowed = url && !url.username && !url.password && (url.protocol === 'https:' || isLoopback(address) || isApp)
  if (isAllowed && !address.includes('#') && !address.includes('*')) return
  throw refuse('invalidRedirectUri', { uri: address.slice(0, 200) })
}

function toMetadata(given: Given): ClientRow['metadata'] {
  const { kind, redirectUris, postLogoutRedirectUris = [], backchannelLogoutUri, website, isPairwise, device } = given
  for (const address of [...redirectUris, ...postLogoutRedirectUris]) checkRedirect(address, kind)
  if (backchannelLogoutUri !== undefined) checkRedirect(backchannelLogoutUri, 'web')
  const hasPage = redirectUris.length > 0
  if (!hasPage && !device) throw refuse('invalidRedirectUri', { uri: '' })
  const isNative = kind === 'public' && redirectUris.some((address) => !address.startsWith('https:'))
  return {
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    ...(backchannelLogoutUri !== undefined && { backchannel_logout_uri: backchannelLogoutUri }),
    ...(website !== undefined && { client_uri: website }),
    application_type: isNative ? 'native' : 'web',
    token_endpoint_auth_method: kind === 'web' ? `client_secret_${given.tokenAuth ?? 'basic'}` : 'none',
    grant_types: [...(hasPage ? ['authorization_code'] : []), 'refresh_token', ...(device ? [deviceGrant] : [])],
    response_types: hasPage ? ['code'] : [],
    ...(isPairwise && { subject_type: 'pairwise' }),
  }
}

function encode({ id, name, metadata, secret_hash, is_trusted, is_registered, created, changed, users }: ClientRow) {
  const { redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, client_uri } = metadata
  const record: OidcClientRecord = {
    clientId: id,
    name,
    kind: secret_hash ? 'web' : 'public',
    redirectUris: (redirect_uris ?? []) as string[],
    postLogoutRedirectUris: (post_logout_redirect_uris ?? []) as string[],
    ...(typeof backchannel_logout_uri === 'string' && { backchannelLogoutUri: backchannel_logout_uri }),
    ...(typeof client_uri === 'string' && { website: client_uri }),
    ...(secret_hash && { tokenAuth: metadata.token_endpoint_auth_method === 'client_secret_post' ? 'post' : 'basic' }),
    isPairwise: metadata.subject_type === 'pairwise',
    device: Array.isArray(metadata.grant_types) && metadata.grant_types.includes(deviceGrant),
    isTrusted: is_trusted,
    isRegistered: is_registered,
    users,
    createdAt: created.toISOString(),
    updatedAt: changed.toISOString(),
  }
  return record
}

async function getClient({ db }: Context, id: string): Promise<ClientRow> {
  const [row] = await db.query<ClientRow>(ofId(id))
  if (!row) throw refuse('objectNotFound')
  return row
}

export const listOidcClientsEndpoint = defineEndpoint('listOidcClients', {
  async handle({ context }) {
    const rows = await context.db.query<ClientRow>(sql`
      select c.*, coalesce(g.users, 0) as users
      from countersign.oidc_clients c
      left join (
        select client, count(*)::int as users from countersign.oidc_records where model = 'Grant' group by client
      ) g on g.client = c.id
      order by c.created desc, c.id
      limit 1000`)
    return { results: rows.map(encode) }
  },
})

export const createOidcClientEndpoint = defineEndpoint('createOidcClient', {
  async handle({ context, input }) {
    const { db, clock } = context
    refuseHidden(input.name, 'name')
    const metadata = toMetadata(input)
    const id = newToken().slice(0, 20)
    const secret = input.kind === 'web' ? `cs_oidc_${newToken()}${newToken()}` : undefined
    await db.query(sql`
      insert into countersign.oidc_clients
        (id, name, metadata, secret_hash, is_trusted, is_registered, created, changed)
      values (${id}, ${input.name}, ${metadata}, ${secret === undefined ? null : hashToken(secret)},
        ${input.isTrusted ?? false}, false, ${clock.now()}, ${clock.now()})`)
    const client = encode(await getClient(context, id))
    return { ...client, ...(secret !== undefined && { secret }) }
  },
})

export const updateOidcClientEndpoint = defineEndpoint('updateOidcClient', {
  async handle({ context, params: { clientId }, input: { renewSecret, ...changes } }) {
    const { db, clock } = context
    if (changes.name !== undefined) refuseHidden(changes.name, 'name')
    return db.transaction(async () => {
      const former = encode(await getClient(context, clientId))
      const given = { ...former, ...changes, kind: former.kind }
      const secret = renewSecret && former.kind === 'web' ? `cs_oidc_${newToken()}${newToken()}` : undefined
      await db.query(sql`
        update countersign.oidc_clients set name = ${given.name}, metadata = ${toMetadata(given)},
          is_trusted = ${given.isTrusted}, changed = ${clock.now()},
          secret_hash = coalesce(${secret === undefined ? null : hashToken(secret)}, secret_hash)
        where id = ${clientId}`)
      const client = encode(await getClient(context, clientId))
      return { ...client, ...(secret !== undefined && { secret }) }
    })
  },
})

export const deleteOidcClientEndpoint = defineEndpoint('deleteOidcClient', {
  async handle({ context, params: { clientId } }) {
    if (!(await removeClient(context, clientId))) throw refuse('objectNotFound')
    return {}
  },
})
