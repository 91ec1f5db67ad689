import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import { newObjectId } from '../classes/names.ts'
import type { Context } from '../context/Context.ts'
import { isForeignKeyViolation } from '../db/databaseErrors.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { decrypt, encrypt, hashToken } from '../keys/secrets.ts'
import { findClientMetadata, keepRegisteredClient, nameOf, removeClient } from './clients.ts'
import { isDelegated, isOwnResource } from './resources.ts'

type Row = { content: Buffer; used: Date | null }

const hashOf = (id: string | undefined) => (id === undefined ? null : hashToken(id))

/**
 * Storage of the provider: codes, tokens, grants and sessions in one table. Their ids are secrets, so only hashes are
 * stored.
 */
export const createStore =
  (context: Context): AdapterFactory =>
  (model) =>
    model === 'Client' ? createClientStore(context) : createRecordStore(context, model)

function createRecordStore(context: Context, model: string): Adapter {
  const { db, keys, clock } = context
  const ofId = (id: string) => sql`model = ${model} and id = ${hashToken(id)}`

  async function find(condition: Fragment): Promise<AdapterPayload | undefined> {
    const [row] = await db.query<Row>(sql`select content, used from countersign.oidc_records where ${condition}`)
    const text = row && decrypt(keys, 'oidc record', row.content)
    if (!row || text === undefined) return undefined
    return { ...JSON.parse(text), ...(row.used && { consumed: Math.floor(row.used.getTime() / 1000) }) }
  }

  const findByOther = (id: string) => find(sql`model = ${model} and other_id = ${hashToken(id)}`)

  return {
    find: (id) => find(ofId(id)),
    findByUid: findByOther,
    findByUserCode: findByOther,

    async upsert(id, payload, expiresIn) {
      const { accountId, clientId } = payload
      const content = encrypt(keys, 'oidc record', JSON.stringify(payload))
      const expires = expiresIn ? new Date(clock.ms() + expiresIn * 1000) : null
      const grant = hashOf(model === 'Grant' ? id : payload.grantId)
      const values = sql`${model}, ${hashToken(id)}, ${content}, ${expires}, ${clock.now()}, ${grant},
        ${hashOf(payload.uid ?? payload.userCode)}, ${clientId ?? null}, ${accountId ?? null}`
      try {
        await db.transaction(async () => {
          if (grant && endWithGrant.has(model)) await holdGrant(context, grant)
          await keepForApi(context, model, id, payload, expires)
          await db.query(sql`
            insert into countersign.oidc_records
              (model, id, content, expires, created, grant_id, other_id, client, "user")
            values (${values})
            on conflict (model, id) do update set content = excluded.content, expires = excluded.expires,
              other_id = excluded.other_id, grant_id = excluded.grant_id, "user" = excluded."user"`)
        })
      } catch (error) {
        if (isForeignKeyViolation(error)) throw new errors.InvalidGrant('account not found')
        throw error
      }
    },

    // Of two requests with the same code at the same time, only one gets tokens.
    async consume(id) {
      const consumed = await db.query(sql`
        update countersign.oidc_records set used = ${clock.now()}
        where ${ofId(id)} and used is null
        returning 1 as one`)
      if (consumed.length === 0) throw new errors.InvalidGrant('already used')
    },

    // The provider ends it and notifies the apps: no trigger has to.
    async destroy(id) {
      await db.transaction(async () => {
        if (model === 'Session')
          await db.query(sql`update countersign.oidc_records set session = null where ${ofId(id)}`)
        await db.query(sql`delete from countersign.oidc_records where ${ofId(id)}`)
      })
    },

    async revokeByGrantId(grantId) {
      await db.query(sql`
        delete from countersign.oidc_records where model = ${model} and grant_id = ${hashToken(grantId)}`)
    },
  }
}

const endWithGrant = new Set(['AccessToken', 'AuthorizationCode', 'DeviceCode', 'RefreshToken'])

/**
 * Locks the grant until the transaction ends. A token on its way while the grant ends would outlive it; whatever is
 * stored before the end is deleted by a trigger.
 */
async function holdGrant({ db }: Context, id: Buffer): Promise<void> {
  const held = await db.query(
    sql`select from countersign.oidc_records where model = 'Grant' and id = ${id} for key share`,
  )
  if (held.length === 0) throw new errors.InvalidGrant('grant not found')
}

function createClientStore(context: Context): Adapter {
  const none = async () => undefined
  return {
    find: (id) => findClientMetadata(context, id),
    upsert: (id, payload) => keepRegisteredClient(context, id, payload),
    async destroy(id) {
      await removeClient(context, id)
    },
    consume: none,
    findByUid: none,
    findByUserCode: none,
    revokeByGrantId: none,
  }
}

/** A token of our own API is found there like every other token with a scope. */
async function keepForApi(
  context: Context,
  model: string,
  id: string,
  { aud, jkt, accountId, clientId = '', scope }: AdapterPayload,
  expires: Date | null,
): Promise<void> {
  if (model !== 'AccessToken' || !isOwnResource(context, aud) || accountId === undefined) return
  const scopes = (scope ?? '').split(' ').filter(isDelegated)
  if (scopes.length === 0) return
  const { db, clock } = context
  const { client_name } = (await findClientMetadata(context, clientId)) ?? {}
  const name = nameOf({ clientId, ...(typeof client_name === 'string' && { clientName: client_name }) })
  await db.query(sql`
    insert into countersign.access_tokens (id, hash, kind, name, "user", client, audience, jkt, scopes, hint, created, expires)
    values (${newObjectId()}, ${hashToken(id)}, 'oauth', ${name}, ${accountId}, ${clientId}, ${String(aud)}, ${jkt ?? null}, ${scopes},
      ${id.slice(-4)}, ${clock.now()}, ${expires})
    on conflict (hash) do nothing`)
}
