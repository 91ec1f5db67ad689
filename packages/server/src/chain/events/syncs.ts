import { type ClassPermissions, CountersignError, type SyncRecord, type WireFields } from '@countersign/protocol'
import type { ClassStep } from '../../classes/applySteps.ts'
import { emptySchema } from '../../classes/ClassSchema.ts'
import { missingFields } from '../../classes/columns.ts'
import { shortenName } from '../../classes/names.ts'
import { refuseIndexed } from '../../classes/partitions/Layout.ts'
import { ConfigError } from '../../config/ConfigError.ts'
import { eventSchema } from '../../config/eventSettings.ts'
import type { Context } from '../../context/Context.ts'
import { json, sql } from '../../db/sql.ts'
import { safeParse } from '../../encoding/safeParse.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { isFollowedNow } from '../index/chainState.ts'
import type { Chain, Chains } from '../nodes/Chain.ts'
import { getChains } from '../nodes/getChains.ts'
import { classFieldsOf, compileSync, type Sync } from './compileSync.ts'

/** How far a sync is: see the table. */
export type SyncPhase = 'clear' | 'new' | 'discover' | 'follow'

/** A sync as one that follows its chain knows it. */
export type FollowedSync = {
  sync: Sync
  phase: SyncPhase
  start: number | null
  pendingFrom: number | null
  confirmed: number
}

type SyncRow = {
  id: string
  definition: unknown
  hash: string
  phase: SyncPhase
  start: number | null
  pending_from: number | null
  confirmed: number
}

declare module '../../context/Context.ts' {
  interface Services {
    /** Syncs that were read, by the hash of their definition and their id. */
    syncs?: Map<string, Sync>
  }
}

/** Current syncs of a chain. An unreadable one is left out, with a reason. */
export async function loadSyncs(context: Context, chain: number): Promise<FollowedSync[]> {
  const rows = await context.db.query<SyncRow>(sql`
    select id, definition, hash, phase, start, pending_from, confirmed
    from countersign.chain_syncs
    where chain = ${chain}
    order by id`)
  const loaded: FollowedSync[] = []
  for (const { id, definition, hash, phase, start, pending_from, confirmed } of rows) {
    const sync = await loadSync(context, chain, id, hash, definition)
    if (sync) loaded.push({ sync, phase, start, pendingFrom: pending_from, confirmed })
  }
  return loaded
}

async function loadSync(
  { services, db, log }: Context,
  chain: number,
  id: string,
  hash: string,
  definition: unknown,
): Promise<Sync | undefined> {
  services.syncs ??= new Map()
  const known = services.syncs.get(`${hash} ${id}`)
  if (known) return known
  try {
    const sync = await compileSync(chain, eventSchema.parse(definition))
    services.syncs.set(`${hash} ${id}`, sync)
    return sync
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    log.error({ chain, sync: id, reason: message }, 'reading an event sync failed')
    await db.query(sql`update countersign.chain_syncs set error = ${message.slice(0, 1_000)} where id = ${id}`)
    return undefined
  }
}

/** Brings the syncs of the configuration into the database, and makes the classes that all of them need. */
export async function configureSyncs(context: Context, chains: Chains): Promise<void> {
  const { db, config } = context
  for (const { id: chain, events } of config.chains) {
    const syncs: Sync[] = []
    for (const [index, definition] of events.entries()) {
      const place = `chains (${chain}): events[${index}] of the class ${definition.class}`
      const sync = await compileSync(chain, definition).catch((error: Error) => {
        throw new ConfigError(`${place}: ${error.message}`)
      })
      if (syncs.some(({ id }) => id === sync.id)) {
        throw new ConfigError(`${place}: another sync has the name ${sync.name}. Set name on one of them.`)
      }
      if (!chains.find(chain)) throw new ConfigError(`${place}: the chain has no node. Add one to rpcUrls.`)
      syncs.push(sync)
    }
    if (!config.indexer.enabled) continue
    for (const sync of syncs) {
      const open = refuseIndexClass(context, sync.className).then(() => openSyncClass(context, sync))
      await open.catch((error) => {
        if (!(error instanceof CountersignError)) throw error
        throw new ConfigError(`chains (${chain}): the sync ${sync.name}: ${error.message}`)
      })
      await storeSync(context, sync, 'config')
    }
    const kept = syncs.map(({ id }) => id)
    const gone = await db.query<{ id: string }>(
      sql`select id from countersign.chain_syncs where chain = ${chain} and origin = 'config' and id <> all(${kept})`,
    )
    for (const { id } of gone) await removeSync(context, id)
  }
  // An operator who dropped a class wants all of it read again.
  for (const { id: chain, index } of config.indexer.enabled ? config.chains : []) {
    for (const { sync, phase } of await loadSyncs(context, chain)) {
      const isMade = await openSyncClass(context, sync)
      if (!isMade || phase === 'new') continue
      await replaySync(context, sync.id)
      // If transfers are stored too, their class decides where the chain starts again.
      if ((index?.mode ?? 'off') !== 'off') continue
      await db.query(sql`delete from countersign.chain_blocks where chain = ${chain}`)
      await db.query(sql`delete from countersign.chain_state where chain = ${chain}`)
    }
  }
}

/** Keeps a sync; one whose definition changed is read again from its beginning. */
async function storeSync({ db, clock }: Context, sync: Sync, origin: 'config' | 'stored'): Promise<void> {
  const { id, chain, name, className, definition, hash, owners, isPublic } = sync
  const listed = isPublic ? [] : owners
  await db.query(sql`
    insert into countersign.chain_syncs as s (id, chain, name, "className", origin, definition, hash, owners, added)
    values (${id}, ${chain}, ${name}, ${className}, ${origin}, ${json(definition)}::jsonb, ${hash},
      ${listed}::text[], ${clock.now()})
    on conflict (id) do update set
      "className" = excluded."className", origin = excluded.origin, definition = excluded.definition,
      hash = excluded.hash, owners = excluded.owners, error = null,
      phase = case when s.hash = excluded.hash then s.phase else 'clear' end,
      start = case when s.hash = excluded.hash then s.start end`)
}

/** Deletes all rows of a sync and reads them again. Returns true if the sync exists. */
async function replaySync({ db }: Context, id: string): Promise<boolean> {
  const found = await db.query(
    sql`update countersign.chain_syncs set phase = 'clear', error = null where id = ${id} returning 1`,
  )
  return found.length > 0
}

/** Ends a sync. Its rows stay. Returns true if the sync existed. */
async function removeSync({ db }: Context, id: string): Promise<boolean> {
  return db.transaction(async () => {
    const found = await db.query(sql`delete from countersign.chain_syncs where id = ${id} returning 1`)
    await dropWork(db, id)
    return found.length > 0
  })
}

/** Takes a sync out of what is still to be read, in the open transaction. Others may share the work. */
export async function dropWork(db: Context['db'], id: string): Promise<void> {
  await db.query(sql`update countersign.chain_work set syncs = array_remove(syncs, ${id}) where ${id} = any(syncs)`)
  await db.query(sql`delete from countersign.chain_work where kind in ('events', 'factory') and syncs = '{}'`)
}

const everyone = { '*': true } as const

function permissionsOf({ isPublic, owners }: Sync): ClassPermissions {
  const read = isPublic || owners.length > 0 ? everyone : {}
  return { find: read, get: read, count: read, create: {}, update: {}, delete: {}, addField: {} }
}

/**
 * Creates the class of a sync, or its missing parts. Returns true if the class was created. Rows that clients could
 * write would look like events: a class without permissions gets those of a sync, others are the operator's own.
 */
async function openSyncClass({ db, classes, log }: Context, sync: Sync): Promise<boolean> {
  const { className, names, owners, isPublic } = sync
  let isMade = false
  await classes.change(className, async (current) => {
    await refuseIndexed(db, className, 'holds the events that the indexer writes')
    isMade = !current
    const wanted = { fields: new Map(classFieldsOf(sync)), relations: new Map<string, string>() }
    const missing = missingFields(current ?? emptySchema(className), wanted)
    const indexes: [string, [string, 1 | -1][]][] = [
      [
        `${names.block}_place`,
        [
          [names.chain, 1],
          [names.block, -1],
          [names.logIndex, -1],
        ],
      ],
      ...owners.map((owner): [string, [string, 1 | -1][]] => [`${owner}_owner`, [[owner, 1]]]),
    ]
    if (current && !current.permissions)
      log.warn({ className }, 'clients can no longer write to this class: an event sync writes it')
    return [
      ...(current ? [] : [{ kind: 'createClass' } as const]),
      ...missing.fields.map(([name, field]): ClassStep => ({ kind: 'addField', name, field })),
      ...indexes
        .filter(([name]) => !current?.indexes.has(name))
        .map(
          ([name, entries]): ClassStep => ({
            kind: 'addIndex',
            name,
            index: { fields: new Map(entries), unique: false },
          }),
        ),
      ...(current?.permissions ? [] : [{ kind: 'setPermissions', permissions: permissionsOf(sync) } as const]),
    ]
  })
  // No row has an access list, and the indexes of those cost a fifth of the speed.
  const index = (name: string) => sql.id(shortenName(`${className}::${name}`))
  if (isMade && isPublic) await db.query(sql`drop index if exists public.${index('rperm')}, public.${index('public')}`)
  return isMade
}

/** Rows of the index are its own: those of a sync would count as transfers, and a reorg of one would undo the other. */
async function refuseIndexClass({ db, config }: Context, className: string): Promise<void> {
  const isIndexed = config.chains.some(({ index }) => index !== undefined && index.mode !== 'off')
  const [known] = await db.query(sql`select from countersign.chain_classes where "className" = ${className}`)
  if (!known && !(isIndexed && className === config.indexer.transferClass)) return
  throw new CountersignError(
    'InvalidValue',
    `${className} is a class of the chain index. Choose another class for the sync.`,
  )
}

/** The syncs of all chains, or the one of this id. */
async function listSyncs(context: Context, id?: string): Promise<SyncRecord[]> {
  const isWanted = id === undefined ? sql`true` : sql`s.id = ${id}`
  const rows = await context.db.query<{
    name: string
    chain: number
    className: string
    origin: 'config' | 'stored'
    phase: SyncPhase
    start: number | null
    left: number
    children: number
    leftOut: number
    error: string | null
    current: boolean
    definition: WireFields
  }>(sql`
    select s.name, s.chain, s."className", s.origin, s.phase, s.start, s.definition, s.left_out as "leftOut",
      coalesce(s.error, w.error) as error, w.left,
      exists (
        select from countersign.chain_state c where c.chain = s.chain and ${isFollowedNow(context, sql`c`)}
      ) as current,
      (select count(*)::float8 from countersign.chain_children c where c.sync = s.id) as children
    from countersign.chain_syncs s, lateral (
      select coalesce(sum(w.last - w.next + 1), 0)::float8 as left, min(w.error) as error
      from countersign.chain_work w
      where w.chain = s.chain and w.next <= w.last and s.id = any(w.syncs)
    ) w
    where ${isWanted}
    order by s.chain, s.name`)
  return rows.map(
    ({ name, chain, className, origin, phase, start, left, children, leftOut, error, current, definition }) => ({
      name,
      chain,
      class: className,
      origin,
      status: current && phase === 'follow' && left === 0 ? 'SYNCED' : 'SYNCING',
      blocksLeft: left,
      ...(start !== null && { startBlock: start }),
      ...(definition.factory !== undefined && { children }),
      ...(leftOut > 0 && { leftOut }),
      ...(error !== null && { error }),
      definition,
    }),
  )
}

/** Keeps a sync that a caller describes; the same name again takes the place of the one before. */
export async function createSync(context: Context, chain: Chain, input: WireFields): Promise<SyncRecord> {
  const { success, data, error } = safeParse(eventSchema, input)
  if (!success) {
    const [issue] = error.issues
    const place = issue?.path.join('.') || 'the sync'
    throw new CountersignError('InvalidValue', `${place}: ${issue?.message ?? 'is not valid'}.`.slice(0, 300))
  }
  const sync = await compileSync(chain.id, data).catch((cause: Error) => {
    throw new CountersignError('InvalidValue', `The sync cannot be added: ${cause.message}`.slice(0, 500))
  })
  const known = await listSyncs(context, sync.id)
  if (known[0]?.origin === 'config') throw inConfiguration(sync.name)
  await refuseIndexClass(context, sync.className)
  await openSyncClass(context, sync)
  await storeSync(context, sync, 'stored')
  return getSync(context, sync.id)
}

async function getSync(context: Context, id: string): Promise<SyncRecord> {
  const [found] = await listSyncs(context, id)
  if (!found) throw new CountersignError('ObjectNotFound', 'Sync not found.')
  return found
}

function inConfiguration(name: string): CountersignError {
  return new CountersignError(
    'OperationForbidden',
    `The sync ${name} is set in the server configuration. Change it there.`,
  )
}

/** Follows a stored sync no longer. Its rows stay. */
async function deleteSync(context: Context, chain: number, name: string): Promise<Record<string, never>> {
  const id = `${chain}/${name}`
  if ((await getSync(context, id)).origin === 'config') throw inConfiguration(name)
  await removeSync(context, id)
  return {}
}

/** Removes the rows of a sync and reads them again from its first block on. */
async function repeatSync(context: Context, chain: number, name: string): Promise<SyncRecord> {
  const id = `${chain}/${name}`
  await getSync(context, id)
  await replaySync(context, id)
  return getSync(context, id)
}

export const listSyncsEndpoint = defineEndpoint('listSyncs', {
  handle: async ({ context }) => ({ results: await listSyncs(context) }),
})

export const createSyncEndpoint = defineEndpoint('createSync', {
  location: (output) => {
    const { chain, name } = output as { chain: number; name: string }
    return `/syncs/${chain}/${name}`
  },
  handle: ({ context, input: { chain, ...definition } }) =>
    createSync(context, getChains(context).get(chain), definition),
})

export const deleteSyncEndpoint = defineEndpoint('deleteSync', {
  handle: ({ context, params: { chain, name } }) => deleteSync(context, getChains(context).get(chain).id, name),
})

export const replaySyncEndpoint = defineEndpoint('replaySync', {
  handle: ({ context, params: { chain, name } }) => repeatSync(context, getChains(context).get(chain).id, name),
})
