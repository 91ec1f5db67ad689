import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { findHooks, hasSaveHooks, runAfter } from '../../hooks/runHooks.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import { readObject } from '../../objects/readObject.ts'
import { changeObject } from '../../objects/updateObject.ts'
import { type ChainState, type Follower, getTip, indexProgress, listOpenBlocks, moveTip } from '../index/chainState.ts'
import { groupsOf, planStretches } from '../index/planWork.ts'
import { type LogInterest, readBlockLogs } from '../index/readBlocks.ts'
import type { RpcLog } from '../index/Transfer.ts'
import { checkNamedWallets } from '../wallets/provenWallets.ts'
import type { Sync } from './compileSync.ts'
import { dropWork, type FollowedSync, loadSyncs } from './syncs.ts'
import { undoStates } from './undoStates.ts'
import { isRefusal, placeOf, readEvents, rowsOf, server, writeEvents } from './writeEvents.ts'

/** More contracts than this are not named in a question: all that write the event are asked for. */
const mostNamed = 100

/** Number of factory contracts from which on all logs are read and foreign ones dropped. */
const manyChildren = 500

const clearedAtOnce = 5_000

const confirmedAtOnce = 50

/** Syncs whose logs are taken from new blocks. */
export async function listFollowed({ context, chain }: Follower): Promise<Sync[]> {
  const syncs = await loadSyncs(context, chain.id)
  return syncs.filter(({ phase }) => phase === 'discover' || phase === 'follow').map(({ sync }) => sync)
}

/** Merges the logs these syncs need from a block with those that are read anyway. */
export function interestOf(syncs: readonly Sync[], other?: LogInterest): LogInterest {
  const topics = new Set(other?.topics)
  const addresses = new Set<string>()
  for (const { topic, contracts, factory } of syncs) {
    topics.add(topic)
    if (factory) topics.add(factory.topic)
    for (const contract of contracts ?? []) addresses.add(contract)
  }
  // A contract that its factory makes in a block may write in the same block.
  const isNamed = !other && addresses.size <= mostNamed && syncs.every(({ contracts }) => contracts)
  return {
    topics: [...topics],
    addresses: isNamed ? [...addresses] : undefined,
    mayHold: (header) => other?.mayHold(header) === true || syncs.some(({ mayBeIn }) => mayBeIn(header)),
  }
}

type Block = { number: number; timestamp: number }

/** Stores the events of a block, in the open transaction. */
export async function writeBlockEvents(
  { context, chain }: Follower,
  syncs: readonly Sync[],
  block: Block,
  logs: readonly RpcLog[],
  final: number,
): Promise<void> {
  if (syncs.length === 0 || logs.length === 0) return
  const { db } = context
  // A sync that was removed or is to be read again is skipped; a process that wants to do so waits.
  const active = await db.query<{ id: string }>(sql`
    select id from countersign.chain_syncs
    where chain = ${chain.id} and phase in ('discover', 'follow')
    for key share`)
  const ids = new Set(active.map(({ id }) => id))
  const own = syncs.filter(({ id }) => ids.has(id))
  await writeChildren(context, readChildren(own, logs))
  const isOwn = await findChildren(context, own, logs)
  const rows = await readEvents(own, logs, isOwn)
  await writeEvents(context, rows, { times: new Map([[block.number, block.timestamp]]), final })
}

export type Child = { sync: string; address: string; block: number }

/** The contracts that logs of factories name. */
export function readChildren(syncs: readonly Sync[], logs: readonly RpcLog[]): Child[] {
  const children: Child[] = []
  for (const { id, factory } of syncs) {
    if (!factory) continue
    for (const log of logs) {
      if (log.topics[0]?.toLowerCase() !== factory.topic) continue
      const place = placeOf(log)
      const values = place && factory.contracts.includes(place.contract) ? factory.read(log) : undefined
      if (place && values) children.push({ sync: id, address: String(values[factory.place]), block: place.block })
    }
  }
  return children
}

export async function writeChildren({ db }: Pick<Context, 'db'>, children: readonly Child[]): Promise<void> {
  if (children.length === 0) return
  await db.query(sql`
    insert into countersign.chain_children as c (sync, address, block)
    select sync, address, min(block)
    from unnest(
      ${children.map(({ sync }) => sync)}::text[],
      ${children.map(({ address }) => address)}::text[],
      ${children.map(({ block }) => block)}::bigint[]) as given (sync, address, block)
    group by 1, 2
    order by 1, 2
    on conflict (sync, address) do update set block = excluded.block where excluded.block < c.block`)
}

/** Says of the contracts that wrote these logs which factory of a sync made them. */
export async function findChildren(
  { db }: Pick<Context, 'db'>,
  syncs: readonly Sync[],
  logs: readonly RpcLog[],
): Promise<(sync: Sync, contract: string) => boolean> {
  const made = syncs.filter(({ factory }) => factory).map(({ id }) => id)
  const topics = new Set(syncs.filter(({ factory }) => factory).map(({ topic }) => topic as string))
  const writers = new Set<string>()
  for (const {
    topics: [topic = ''],
    address,
  } of logs)
    if (topics.has(topic.toLowerCase())) writers.add(address.toLowerCase())
  if (writers.size === 0) return () => false
  const rows = await db.query<{
    sync: string
    address: string
  }>(sql`
    select sync, address from countersign.chain_children
    where sync = any(${made}) and address = any(${[...writers]})`)
  const known = new Set(rows.map(({ sync, address }) => `${sync} ${address}`))
  return ({ id }, contract) => known.has(`${id} ${contract}`)
}

/** Takes back what came from blocks above `ancestor`, in the open transaction. */
export async function undoEvents(follower: Follower, ancestor: number): Promise<void> {
  const { context, chain } = follower
  const { db } = context
  await undoStates(follower, ancestor)
  for (const { sync } of await loadSyncs(context, chain.id)) {
    await deleteRows(context, sync, ancestor)
    await db.query(sql`delete from countersign.chain_children where sync = ${sync.id} and block > ${ancestor}`)
  }
}

/** Subscribers receive the deletes; so do the application's hooks, which can refuse nothing here. */
async function deleteRows(context: Context, sync: Sync, above: number): Promise<void> {
  const { db, classes } = context
  const { className, names } = sync
  const isHooked = findHooks(context, 'afterDelete', className) !== undefined
  const gone = await db.query<{ row: JsonRow }>(sql`
    with gone as (
      delete from ${sql.table(className)} where ${rowsOf(sync)} and ${sql.id(names.block)} > ${above} returning *
    )
    select to_jsonb(gone.*) as row from gone where ${isHooked}::boolean`)
  db.reportChange(className)
  for (const { row } of gone) {
    const object = decodeObject(classes.get(className), row)
    await runAfter(context, server, { hook: 'afterDelete', className, object })
  }
}

/** Marks rows whose blocks cannot be undone any longer. Hooks see it as a save, one row after another. */
export async function confirmEvents(follower: Follower, final: number, signal: AbortSignal): Promise<void> {
  const { context, chain, runner } = follower
  const { db, clock } = context
  for (const { sync, confirmed, phase } of await loadSyncs(context, chain.id)) {
    if (confirmed >= final || (phase !== 'discover' && phase !== 'follow')) continue
    const { className, names } = sync
    const [block, mark] = [sql.id(names.block), sql.id(names.confirmed)]
    const open = sql`${rowsOf(sync)} and ${block} > ${confirmed} and ${block} <= ${final} and not ${mark}`
    const table = sql.table(className)
    const isHooked = hasSaveHooks(context, className)
    if (isHooked)
      await confirmWithHooks(
        context,
        sync,
        sql`
          select "objectId" from ${table}
          where ${open}
          order by ${block}, ${sql.id(names.logIndex)}
          limit ${confirmedAtOnce}`,
        signal,
      )
    if (signal.aborted) return
    await db.transaction(async () => {
      const own = await db.query(sql`
        update countersign.chain_syncs set confirmed = ${final}
        where id = ${sync.id}
          and exists (select from countersign.chain_state where chain = ${chain.id} and runner = ${runner})
        returning 1`)
      if (own.length === 0) return
      await db.query(sql`update ${table} set ${mark} = true, "updatedAt" = ${clock.now()} where ${open}`)
      db.reportChange(className)
    })
  }
}

async function confirmWithHooks(
  context: Context,
  { className, names }: Sync,
  listNext: ReturnType<typeof sql>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context
  const confirm = async (objectId: string) => {
    const object = readObject({ [names.confirmed]: true })
    try {
      await db.nest(() => changeObject(context, server, className, objectId, object))
    } catch (error) {
      if (!isRefusal(error)) throw error
      // It happened, whatever a hook says of it.
      log.warn({ className, objectId, reason: (error as Error).message }, 'a hook failed while an event was confirmed')
      await db.query(
        sql`update ${sql.table(className)} set ${sql.id(names.confirmed)} = true where "objectId" = ${objectId}`,
      )
    }
  }
  while (!signal.aborted) {
    const next = await db.transaction(async () => {
      const rows = await db.query<{ objectId: string }>(listNext)
      for (const { objectId } of rows) await confirm(objectId)
      return rows.length
    })
    if (next < confirmedAtOnce) return
  }
}

/**
 * Advances each sync: deletes rows to be read again, plans new ranges, and continues with contracts of a searched
 * factory. For the process that indexes the chain, which alone undoes blocks.
 */
export async function advanceSyncs(follower: Follower, state: ChainState, signal: AbortSignal): Promise<void> {
  const { context, chain } = follower
  for (const { sync, phase } of await loadSyncs(context, chain.id)) {
    if (phase === 'clear') await clearSync(context, sync, signal)
  }
  if (signal.aborted) return
  const syncs = await loadSyncs(context, chain.id)
  const fresh = syncs.filter(({ phase }) => phase === 'new')
  if (fresh.length > 0) await beginSyncs(follower, state, fresh)
  for (const each of syncs) if (each.phase === 'discover') await finishDiscovery(follower, state, each)
}

/** Removes all rows of a sync, in parts. Nobody is notified: they come again. */
async function clearSync({ db }: Context, sync: Sync, signal: AbortSignal): Promise<void> {
  await db.transaction(() => dropWork(db, sync.id))
  const clear = async () => {
    await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
    const gone = await db.query(sql`
      delete from ${sql.table(sync.className)}
      where "objectId" in (
        select "objectId" from ${sql.table(sync.className)} where ${rowsOf(sync)} limit ${clearedAtOnce})
      returning 1`)
    db.reportChange(sync.className)
    return gone.length
  }
  while ((await db.transaction(clear)) === clearedAtOnce) if (signal.aborted) return
  await db.transaction(async () => {
    await db.query(sql`delete from countersign.chain_children where sync = ${sync.id}`)
    await db.query(sql`
      update countersign.chain_syncs set phase = 'new', confirmed = -1, pending_from = null, left_out = 0
      where id = ${sync.id} and phase = 'clear'`)
  })
}

/** Final blocks are left to any process that has time; what may still be undone is read here. */
async function beginSyncs(follower: Follower, state: ChainState, fresh: readonly FollowedSync[]): Promise<void> {
  const { context, settings } = follower
  const { db } = context
  const below = Math.min(state.tip, state.finalized)
  const begun = fresh.map(({ sync, start }) => ({ sync, start: start ?? firstBlock(sync, state, settings.startBlock) }))
  const syncs = begun.map(({ sync }) => sync)
  const read = await readOpenBlocks(follower, state, syncs, Math.min(...begun.map(({ start }) => start)))
  await db.transaction(async () => {
    await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
    await moveTip(follower, state, await getTip(follower), state)
    for (const { sync, start } of begun) {
      const isMade = sync.factory !== undefined
      await db.query(sql`
        update countersign.chain_syncs set phase = ${isMade ? 'discover' : 'follow'}, start = ${start},
          pending_from = ${isMade ? start : null}::bigint, confirmed = ${below}, error = null
        where id = ${sync.id} and phase = 'new'`)
      if (isMade) await planStretches(follower, { kind: 'factory', addresses: [], syncs: [sync.id] }, start, below)
    }
    for (const { syncs: ids, addresses, start } of groupSyncs(begun)) {
      await planStretches(follower, { kind: 'events', addresses, syncs: ids }, start, below)
    }
    for (const { block, logs } of read) {
      const due = begun.filter(({ start }) => start <= block.number).map(({ sync }) => sync)
      await writeBlockEvents(follower, due, block, logs, state.finalized)
    }
  })
}

function firstBlock({ startBlock }: Sync, { tip }: ChainState, usual: number | undefined): number {
  return startBlock === 'latest' ? tip + 1 : (startBlock ?? usual ?? 0)
}

/** Events of the same contracts from the same block on are asked for together. */
function groupSyncs(
  begun: readonly { sync: Sync; start: number }[],
): { syncs: string[]; addresses: string[]; start: number }[] {
  const groups = new Map<string, { syncs: string[]; contracts: string[]; start: number }>()
  for (const { sync, start } of begun) {
    if (!sync.contracts) continue
    const contracts = [...sync.contracts].sort()
    const key = sync.topics.length > 0 ? sync.id : `${start} ${contracts.join()}`
    const group = groups.get(key) ?? { syncs: [], contracts, start }
    groups.set(key, { ...group, syncs: [...group.syncs, sync.id] })
  }
  return [...groups.values()].flatMap(({ syncs, contracts, start }) =>
    groupsOf(contracts).map((addresses) => ({ syncs, addresses, start })),
  )
}

async function readOpenBlocks(follower: Follower, state: ChainState, syncs: readonly Sync[], first: number) {
  const open = await listOpenBlocks(follower, state, first)
  const blocks = open.map(({ hash }) => ({ hash, isEmpty: false, logsBloom: '' }))
  const logs = await readBlockLogs(follower.chain, blocks, { ...interestOf(syncs), mayHold: () => true })
  await checkNamedWallets(follower.context, follower.chain, logs.flat())
  return open.map(({ number, time }, index) => ({
    block: { number, timestamp: time.getTime() / 1000 },
    logs: logs[index] ?? [],
  }))
}

/** Plans the events of all contracts once those of older blocks are known. */
async function finishDiscovery(
  follower: Follower,
  state: ChainState,
  { sync, pendingFrom, start }: FollowedSync,
): Promise<void> {
  const { db } = follower.context
  const isSearched = async () => {
    const [open] = await db.query(sql`
      select from countersign.chain_work
      where chain = ${follower.chain.id} and kind = 'factory' and next <= last and ${sync.id} = any(syncs)
      limit 1`)
    return open === undefined
  }
  if (!(await isSearched())) return
  const from = pendingFrom ?? start ?? 0
  const below = Math.min(state.tip, state.finalized)
  const read = await readOpenBlocks(follower, state, [sync], from)
  await db.transaction(async () => {
    await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
    await moveTip(follower, state, await getTip(follower), state)
    if (!(await isSearched())) return
    const children = await db.query<{ address: string; block: number }>(sql`
      select address, block
      from countersign.chain_children
      where sync = ${sync.id} and block <= ${below}
      order by block, address`)
    const earliest = (block: number | undefined) => Math.max(from, block ?? from)
    if (children.length > manyChildren) {
      const target = { kind: 'events', addresses: [], syncs: [sync.id] } as const
      await planStretches(follower, target, earliest(children[0]?.block), below)
    } else {
      const blocks = new Map(children.map(({ address, block }) => [address, block]))
      for (const addresses of groupsOf([...blocks.keys()])) {
        const target = { kind: 'events', addresses, syncs: [sync.id] } as const
        await planStretches(follower, target, earliest(blocks.get(addresses[0] ?? '')), below)
      }
    }
    for (const { block, logs } of read) await writeBlockEvents(follower, [sync], block, logs, state.finalized)
    await db.query(sql`
      update countersign.chain_syncs set phase = 'follow', pending_from = null
      where id = ${sync.id} and phase = 'discover'`)
    db.reportChange(indexProgress)
  })
}

/** Lays down what is to be read of blocks that are passed over, in the open transaction. */
export async function planSkippedEvents(follower: Follower, first: number, last: number): Promise<void> {
  const { context, chain } = follower
  const syncs = await loadSyncs(context, chain.id)
  const active = syncs.filter(({ phase }) => phase === 'discover' || phase === 'follow')
  const due = active.map(({ sync, start }) => ({ sync, start: Math.max(first, start ?? 0) }))
  for (const { syncs: ids, addresses, start } of groupSyncs(due)) {
    await planStretches(follower, { kind: 'events', addresses, syncs: ids }, start, last)
  }
  for (const { sync, start } of due) {
    if (!sync.factory) continue
    await planStretches(follower, { kind: 'factory', addresses: [], syncs: [sync.id] }, start, last)
    await context.db.query(sql`
      update countersign.chain_syncs set phase = 'discover', pending_from = least(pending_from, ${start})
      where id = ${sync.id}`)
  }
}

/**
 * Plans all syncs again after the index restarted at a current block: earlier rows of unfinalized blocks may be of a
 * removed branch. Existing rows stay.
 */
export async function restartSyncs(follower: Follower, tip: number): Promise<void> {
  const { context, chain } = follower
  for (const { sync } of await loadSyncs(context, chain.id)) {
    if (!context.classes.find(sync.className)) continue
    await deleteRows(context, sync, tip)
    await dropWork(context.db, sync.id)
    await context.db.query(sql`delete from countersign.chain_children where sync = ${sync.id} and block > ${tip}`)
    await context.db.query(
      sql`update countersign.chain_syncs set phase = 'new' where id = ${sync.id} and phase <> 'clear'`,
    )
  }
}
