import { CountersignError, type IdentityRecord, refuse, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { refuseLong } from '../../endpoint/parseRequest.ts'
import { decrypt, encrypt } from '../../keys/secrets.ts'
import type { Provider } from '../../providers/authAdapters.ts'
import { recordActivity } from '../../users/activity.ts'
import { describeRequest, type GivenIdentity, mostKept, type ProvenIdentity, runAdapter } from './runAdapter.ts'

/** Identity of a user at a provider. */
export type IdentityRow = {
  provider: string
  id: string
  user: string
  data: Buffer | null
  linked: Date | null
  last_used: Date | null
}

const longestId = 500
const mostProviders = 10

/** Wallets and guests, which have rules of their own. */
const builtIn = new Set(['anonymous', 'moralisEth', 'moralisSol'])

/** Reads the providers of the setting `auth` from a body: identities to check and providers to unlink. */
export function readProviders(
  { authProviders }: Context,
  authData: WireValue | undefined,
): { given: GivenIdentity[]; removed: string[] } {
  if (authData === undefined || authData === null || typeof authData !== 'object' || Array.isArray(authData))
    return { given: [], removed: [] }
  if (Reflect.get(authData, '__op') === 'Delete') return { given: [], removed: [] }
  // A second factor is ours, unless the operator has an adapter of that name.
  const isOurs = (name: string) => builtIn.has(name) || (name === 'mfa' && !authProviders.has('mfa'))
  const entries = Object.entries(authData).filter(([name]) => !isOurs(name))
  if (entries.length > mostProviders)
    throw new CountersignError('InvalidValue', `authData can name at most ${mostProviders} providers.`)
  const removed = entries.filter(([, data]) => data === null).map(([name]) => name)
  const given = entries.flatMap(([name, data]) => {
    if (data === null) return []
    const provider = authProviders.get(name)
    if (!provider) throw new CountersignError('UnsupportedService', 'This authentication method is unsupported.')
    return [readIdentity(provider, data)]
  })
  return { given, removed }
}

function readIdentity(provider: Provider, data: WireValue | undefined): GivenIdentity {
  const { name } = provider
  if (data === undefined || data === null || typeof data !== 'object' || Array.isArray(data))
    throw new CountersignError('InvalidValue', `authData.${name} must be an object.`)
  if (JSON.stringify(data).length > mostKept)
    throw new CountersignError('InvalidValue', `authData.${name} can have at most ${mostKept} bytes.`)
  const fields = withTextId(data as WireFields)
  // Required in addition to another sign-in method, which identifies the user.
  if (provider.policy === 'additional') return { provider, id: '', data: fields }
  const { id } = fields
  if (id === undefined || id === null || id === '')
    throw new CountersignError('LinkedIdMissing', `authData.${name} needs an id.`)
  if (typeof id !== 'string') throw new CountersignError('InvalidValue', `authData.${name}.id must be text.`)
  refuseLong(`authData.${name}.id`, id, longestId)
  if (/\p{Cc}/u.test(id)) throw new CountersignError('InvalidValue', `authData.${name}.id has control characters.`)
  return { provider, id, data: fields }
}

/** Older clients send the numeric ids of some providers as numbers. Adapters compare texts. */
function withTextId(fields: WireFields): WireFields {
  return Number.isSafeInteger(fields.id) ? { ...fields, id: String(fields.id) } : fields
}

/** Users that these identities belong to. An additional identity identifies nobody. */
export async function findOwners({ db }: Context, given: GivenIdentity[]): Promise<string[]> {
  const named = given.filter(({ provider }) => provider.policy !== 'additional')
  const names = named.map(({ provider }) => provider.name)
  const ids = named.map(({ id }) => id)
  const rows = await db.query<{ user: string }>(sql`
    select distinct "user" from countersign.identities
    where (provider, id) in (select * from unnest(${names}::text[], ${ids}::text[]))`)
  return rows.map(({ user }) => user)
}

/** A user's identities, of providers that are in use. Of two at one provider, which a merge may leave, the older first. */
export async function findIdentities({ db, authProviders }: Context, userId: string): Promise<IdentityRow[]> {
  if (authProviders.size === 0) return []
  return db.query<IdentityRow>(sql`
    select * from countersign.identities
    where "user" = ${userId} and provider = any(${[...authProviders.keys()]})
    order by linked nulls first, provider, id`)
}

/** Decrypts the stored data of an identity. For its adapter, never for a client. */
export function openData({ keys }: Context, { id, data, user }: IdentityRow): WireFields {
  const text = data && decrypt(keys, 'identity', data)
  const kept = text ? (JSON.parse(text) as WireFields) : {}
  if (id !== keyOfAdditional(user)) return { ...kept, id }
  // An adapter that finds nothing might take it for not set up, and ask for nothing.
  if (text === undefined)
    throw new CountersignError(
      'OtherCause',
      'This sign-in method can’t be used because the server’s secret key has changed. Add it again.',
    )
  return kept
}

/**
 * Key of an additional provider, which has no id. Contains a control character, which no id has, so nobody can name it.
 */
const keyOfAdditional = (userId: string) => `\u0001${userId}`

export const keyOf = ({ provider, id }: GivenIdentity, userId: string) =>
  provider.policy === 'additional' ? keyOfAdditional(userId) : id

/** A user's `authData` with all that is kept, as adapters get it. */
export function openAll(context: Context, rows: IdentityRow[]): WireFields {
  const all: WireFields = {}
  for (const row of rows) all[row.provider] ??= openData(context, row)
  return all
}

/**
 * Identities by provider, as shown to user and operator. Tokens are left out: a session left open elsewhere could sign
 * in again with one and count as confirmed. An adapter's `afterFind` may show more.
 */
export async function showIdentities(context: Context, caller: Caller, rows: IdentityRow[]): Promise<WireFields> {
  const shown: WireFields = {}
  for (const row of rows) {
    const provider = context.authProviders.get(row.provider)
    if (!provider || Object.hasOwn(shown, row.provider)) continue
    const { adapter, options } = provider
    const data = openData(context, row)
    const plain = Object.fromEntries(
      ['id', 'expiration_date'].flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
    ) as WireFields
    const found = adapter.afterFind
      ? await runAdapter(context, provider, 'Auth', async () =>
          adapter.afterFind?.(describeRequest(caller), data, options),
        )
      : undefined
    shown[row.provider] = found !== null && typeof found === 'object' ? (found as WireFields) : plain
  }
  return shown
}

/** Adds `authData` of the providers to a user, for a caller who has just proven the account. */
export async function withIdentities<User extends WireFields>(
  context: Context,
  caller: Caller,
  user: User & { objectId: string },
): Promise<User> {
  const rows = await findIdentities(context, user.objectId)
  if (rows.length === 0) return user
  const known = user.authData as WireFields | undefined
  return { ...user, authData: { ...known, ...(await showIdentities(context, caller, rows)) } }
}

/** Adds `authData` of the providers to users whom the caller may see it of: the own one, and all for the master key. */
export async function addIdentities(context: Context, caller: Caller, users: WireFields[]): Promise<void> {
  if (context.authProviders.size === 0 || !(caller.isMaster || caller.session)) return
  const seen = users.filter(({ objectId }) => caller.isMaster || objectId === caller.session?.userId)
  if (seen.length === 0) return
  const ids = seen.map(({ objectId }) => String(objectId))
  const rows = await context.db.query<IdentityRow>(sql`
    select * from countersign.identities
    where "user" = any(${ids}) and provider = any(${[...context.authProviders.keys()]})
    order by linked nulls first, provider, id`)
  for (const user of rows.length > 0 ? seen : []) {
    const own = rows.filter((row) => row.user === user.objectId)
    if (own.length === 0) continue
    const known = user.authData as WireFields | undefined
    user.authData = { ...known, ...(await showIdentities(context, caller, own)) }
  }
}

/** An identity as its owner sees it in the list of sign-in methods. */
export function encodeIdentity(context: Context, row: IdentityRow): IdentityRecord {
  const { provider, id, linked, last_used } = row
  const { policy, client, farcaster } = context.authProviders.get(provider) ?? {}
  const { label } = client || farcaster ? openData(context, row) : {}
  const name = farcaster ? 'Farcaster' : client?.label
  return {
    provider,
    ...(policy === 'additional' ? { additional: true as const } : { id }),
    ...(name !== undefined && { name }),
    ...(typeof label === 'string' && { label }),
    ...(linked ? { linkedAt: linked.toISOString() } : { imported: true as const }),
    ...(last_used && { lastUsedAt: last_used.toISOString() }),
  }
}

/** Gives a proven identity to a user, or keeps what is new of it. In a transaction that holds the user. */
export async function keepIdentity(
  context: Context,
  caller: Caller,
  userId: string,
  proven: ProvenIdentity,
  before: IdentityRow | undefined,
): Promise<'linked' | 'kept'> {
  const { db, clock, keys } = context
  const { name } = proven.provider
  const id = keyOf(proven, userId)
  const now = clock.now()
  const data = proven.kept ? encrypt(keys, 'identity', JSON.stringify(proven.kept)) : null
  if (before) {
    // An adapter's result, such as the remaining codes, is valid only for the data it was computed from.
    const same = proven.isChosen ? sql`data is not distinct from ${before.data}` : sql`true`
    const updated = await db.query(sql`
      update countersign.identities set last_used = ${now}, linked = coalesce(linked, ${now}),
        data = ${proven.kept ? sql`${data}::bytea` : sql`data`}
      where provider = ${name} and id = ${id} and "user" = ${userId} and ${same}
      returning 1`)
    if (updated.length === 0) throw refuse('invalidCredentials')
    return 'kept'
  }
  if (proven.provider.policy === 'additional' && !proven.kept) return 'kept'
  try {
    await db.query(sql`
      insert into countersign.identities (provider, id, "user", data, linked, last_used)
      values (${name}, ${id}, ${userId}, ${data}, ${now}, ${now})`)
  } catch (error) {
    if (isUniqueViolation(error, 'identities_pkey')) throw refuse('accountAlreadyLinked', undefined, { cause: error })
    throw error
  }
  await recordActivity(context, caller, userId, 'linkIdentity', { provider: name, ...(proven.id && { id: proven.id }) })
  db.afterCommit(() => context.sessionCache.forgetUser(userId))
  return 'linked'
}

/** Takes a provider off a user. Whether there was something to take. In a transaction that holds the user. */
export async function removeIdentities(
  context: Context,
  caller: Caller,
  userId: string,
  provider: string,
  /** All but this one. */
  except?: string,
): Promise<boolean> {
  const rows = await context.db.query<{ id: string }>(sql`
    delete from countersign.identities
    where "user" = ${userId} and provider = ${provider} and id is distinct from ${except ?? null}
    returning id`)
  if (rows.length > 0) await recordActivity(context, caller, userId, 'unlinkIdentity', { provider })
  return rows.length > 0
}

/** SQL: whether a user can sign in by an identity alone, by a provider that is in use. */
export function identitySignsIn({ authProviders }: Context, userId: string) {
  const names = [...authProviders.values()].filter(({ policy }) => policy !== 'additional').map(({ name }) => name)
  return sql`exists (select from countersign.identities where "user" = ${userId} and provider = any(${names}))`
}
