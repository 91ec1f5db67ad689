import { CountersignError, type StateRecord, type WireFields } from '@countersign/protocol'
import type { ClassStep } from '../../classes/applySteps.ts'
import { refuseIndexed } from '../../classes/partitions/Layout.ts'
import type { Context } from '../../context/Context.ts'
import type { RegisteredState } from '../../context/Registry.ts'
import { isRefusedValue } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import { type Follower, isFollowedNow, LeaseLost } from '../index/chainState.ts'
import type { Sync } from './compileSync.ts'
import { createStateStore } from './createStateStore.ts'
import { type FollowedSync, loadSyncs } from './syncs.ts'
import { rowsOf } from './writeEvents.ts'

/** Events that are handled in one transaction. */
const eventsAtOnce = { embedded: 100, postgres: 500 }

/** Documents that are removed in one statement. */
const clearedAtOnce = 5_000

/** Milliseconds after which the head of the chain is looked at again. */
const longestTurn = 1_000

const longestWait = 60_000

type Step = 'done' | 'more'

type StateRow = {
  name: string
  chain: number
  events: string[]
  classes: string[]
  version: number
  block: number
  cleared: boolean
  failures: number
  due: Date | null
  left_out: number
}

/** A state of the application's code, with what it is worked out from. */
type FedState = { name: string; state: RegisteredState; syncs: FollowedSync[] }

/**
 * Advances the states of a chain to the indexed block; returns true if more is left than one turn may take. For the
 * process that indexes the chain, which alone undoes blocks.
 */
export async function advanceStates(follower: Follower, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + longestTurn
  let isLeft = false
  for (const fed of await openStates(follower)) {
    for (;;) {
      if (signal.aborted) return false
      const done = await attempt(follower, fed, () =>
        follower.context.db.transaction(() => advance(follower, fed, { isPast: true })),
      )
      if (done !== 'more') break
      isLeft = performance.now() > end
      if (isLeft) break
    }
  }
  return isLeft
}

/** The same for a new block, in its transaction: events and their results become visible together. */
export async function advanceStatesInBlock(follower: Follower): Promise<void> {
  const { db, registry } = follower.context
  if (registry.states.size === 0) return
  for (const fed of await openStates(follower)) {
    await attempt(follower, fed, () => db.nest(() => advance(follower, fed, { isPast: false })))
  }
}

/** An error in application code stops only its own state, until the retry. */
async function attempt(follower: Follower, { name }: FedState, work: () => Promise<Step>): Promise<Step> {
  const { db, log, clock } = follower.context
  try {
    return await work()
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 1_000)
    log.warn({ err: error, state: name, chain: follower.chain.id }, 'computing a state failed, retrying')
    const wait = sql`least(500 * 2 ^ least(failures, 20), ${longestWait}) * interval '1 millisecond'`
    await db.query(sql`
      update countersign.chain_states set error = ${message}, failures = failures + 1,
        due = ${clock.now()}::timestamptz + ${wait}
      where name = ${name}`)
    return 'done'
  }
}

/** The states of the loaded code that are worked out from events of this chain, each with its row in the database. */
async function openStates({ context, chain }: Follower): Promise<FedState[]> {
  const { registry, db } = context
  if (registry.states.size === 0) return []
  const syncs = await loadSyncs(context, chain.id)
  const known = await db.query<StateRow>(sql`select * from countersign.chain_states`)
  const open: FedState[] = []
  for (const [name, state] of registry.states) {
    if (state.chain !== undefined && state.chain !== chain.id) continue
    const feeding = syncs.filter(({ sync }) => state.events.includes(sync.className))
    if (feeding.length === 0) continue
    const row = known.find((each) => each.name === name)
    if (!row || !isSame(row, state, chain.id)) {
      if (row && row.chain !== chain.id && state.chain === undefined && (await isFedBy(context, row.chain, state))) {
        const error = 'Its classes have events of several chains: choose one with `chain`.'
        await db.query(sql`update countersign.chain_states set error = ${error} where name = ${name}`)
        continue
      }
      await storeState(context, chain.id, name, state)
    }
    open.push({ name, state, syncs: feeding })
  }
  return open
}

function isSame(row: StateRow, { events, classes, version }: RegisteredState, chain: number): boolean {
  const same = (a: readonly string[], b: readonly string[]) => a.join() === b.join()
  return row.chain === chain && row.version === version && same(row.events, events) && same(row.classes, classes)
}

async function isFedBy({ db }: Context, chain: number, { events }: RegisteredState): Promise<boolean> {
  const [other] = await db.query(
    sql`select from countersign.chain_syncs where chain = ${chain} and "className" = any(${[...events]}) limit 1`,
  )
  return other !== undefined
}

/** Stores a state. A changed one is computed again. */
async function storeState(context: Context, chain: number, name: string, state: RegisteredState): Promise<void> {
  for (const className of state.classes) await openStateClass(context, className)
  const [events, classes] = [[...state.events], [...state.classes]]
  await context.db.query(sql`
    insert into countersign.chain_states (name, chain, events, classes, version)
    values (${name}, ${chain}, ${events}::text[], ${classes}::text[], ${state.version})
    on conflict (name) do update set chain = excluded.chain, events = excluded.events, classes = excluded.classes,
      version = excluded.version, cleared = true, error = null, due = null, failures = 0`)
}

/** Everyone may read it and only the master key writes it, unless permissions were set before. */
async function openStateClass({ db, classes }: Context, className: string): Promise<void> {
  const everyone = { '*': true } as const
  const permissions = {
    find: everyone,
    get: everyone,
    count: everyone,
    create: {},
    update: {},
    delete: {},
    addField: {},
  }
  await classes.change(className, async (current) => {
    await refuseIndexed(db, className, 'holds states that the indexer writes')
    return [
      ...(current ? [] : [{ kind: 'createClass' } as const]),
      ...(current?.permissions ? [] : [{ kind: 'setPermissions', permissions } satisfies ClassStep]),
    ]
  })
}

/** Handles the next events, in the open transaction. */
async function advance(follower: Follower, fed: FedState, { isPast }: { isPast: boolean }): Promise<Step> {
  const { context, chain, runner } = follower
  const { db, clock } = context
  const { name } = fed
  const [held] = await db.query<{ tip: number; finalized: number }>(
    sql`select tip, finalized from countersign.chain_state where chain = ${chain.id} and runner = ${runner} for share`,
  )
  if (!held) throw new LeaseLost('Another process indexes this chain.')
  const [row] = await db.query<StateRow>(
    sql`select * from countersign.chain_states where name = ${name} and chain = ${chain.id} for update`,
  )
  if (!row || (row.due && row.due > clock.now())) return 'done'
  if (!isPast && row.block !== held.tip - 1) return 'done'
  if (row.cleared) return isPast ? clearState(context, row) : 'done'
  const read = await readThrough(context, fed, held.tip)
  if (read < row.block) {
    // Events of blocks that were handled come again, or for the first time: the order would be lost.
    await db.query(sql`update countersign.chain_states set cleared = true where name = ${name}`)
    return 'more'
  }
  if (read === row.block) return 'done'
  // Finalized blocks need no undo record; later ones are stored block by block.
  const through = row.block < held.finalized ? Math.min(read, held.finalized) : read
  if (isPast && through <= held.finalized) await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
  const { events, covered } = await readOrdered(context, fed, row.block, through)
  const leftOut = await handleEvents(context, fed, events, held.finalized)
  await db.query(sql`delete from countersign.chain_state_undo where state = ${name} and block <= ${held.finalized}`)
  await db.query(sql`
    update countersign.chain_states set block = ${covered}, error = null, due = null, failures = 0,
      left_out = left_out + ${leftOut}, undoable = greatest(undoable, ${Math.min(covered, held.finalized)})
    where name = ${name}`)
  return covered < read ? 'more' : 'done'
}

/** Writes each event separately if an index may reject a document, to find out which one. */
async function handleEvents(
  context: Context,
  fed: FedState,
  events: readonly OrderedEvent[],
  finalized: number,
): Promise<number> {
  const { db, classes } = context
  const isIndexed = fed.state.classes.some((className) => (classes.find(className)?.indexes.size ?? 0) > 0)
  if (isIndexed) return handle(context, fed, events, finalized, true)
  try {
    return await db.nest(() => handle(context, fed, events, finalized, false))
  } catch (error) {
    if (!isRefusedValue(error)) throw error
    return handle(context, fed, events, finalized, true)
  }
}

/**
 * Calls the state's code with each event, and writes the results; returns the number of rejected events. An event whose
 * values the server rejects is left out completely, as in the index: a stranger's event must not stop the state.
 */
async function handle(
  context: Context,
  { name, state }: FedState,
  events: readonly OrderedEvent[],
  finalized: number,
  isCareful: boolean,
): Promise<number> {
  const store = createStateStore(context, name, state)
  let leftOut = 0
  for (const [index, { className, object, block, time }] of events.entries()) {
    const isOpen = block > finalized
    const run = async () => {
      store.begin(time)
      await state.run({ className, object }, store)
      if (isCareful) await store.flush(isOpen ? block : undefined)
    }
    try {
      await (isCareful ? context.db.nest(run) : run())
    } catch (error) {
      const refusal = store.refusal() ?? (isRefusedValue(error) ? error : undefined)
      if (refusal === undefined) throw error
      store.undo()
      leftOut++
      const { objectId } = object
      const reason = refusal instanceof Error ? refusal.message : String(refusal)
      context.log.warn(
        { state: name, className, objectId, reason },
        'event skipped in a state: its values were rejected',
      )
    }
    const isLast = events[index + 1]?.block !== block
    if (isLast && isOpen) await store.flush(block)
  }
  await store.flush(undefined)
  return leftOut
}

/** The last block up to which all events of a state are read. */
async function readThrough({ db }: Context, { syncs }: FedState, tip: number): Promise<number> {
  const rows = await db.query<{ phase: string; pending: number | null; next: number | null }>(sql`
    select s.phase, s.pending_from as pending, (
      select min(w.next) from countersign.chain_work w
      where w.chain = s.chain and w.next <= w.last and s.id = any(w.syncs)
    ) as next
    from countersign.chain_syncs s
    where s.id = any(${syncs.map(({ sync }) => sync.id)})`)
  const ends = rows.map(({ phase, pending, next }) => {
    if (phase === 'new' || phase === 'clear') return -1
    return Math.min(tip, (pending ?? tip + 1) - 1, (next ?? tip + 1) - 1)
  })
  return Math.max(-1, Math.min(tip, ...ends))
}

type OrderedEvent = { className: string; object: WireFields; block: number; logIndex: number; time: Date }

/** The next events in the order of the chain, of whole blocks, and the block up to which these are all. */
async function readOrdered(
  context: Context,
  { syncs }: FedState,
  after: number,
  through: number,
): Promise<{ events: OrderedEvent[]; covered: number }> {
  const most = eventsAtOnce[context.db.kind]
  const read = async (from: number, to: number, limit: number | null) =>
    Promise.all(syncs.map(({ sync }) => readRows(context, sync, from, to, limit)))
  const parts = await read(after, through, most)
  const ends = parts.flatMap((rows) => (rows.length === most ? [(rows.at(-1)?.block ?? 0) - 1] : []))
  const covered = Math.min(through, ...ends)
  const first = Math.min(...parts.flatMap(([row]) => (row ? [row.block] : [])))
  if (covered >= first || !Number.isFinite(first)) {
    return { events: ordered(parts.flat().filter(({ block }) => block <= covered)), covered }
  }
  // One block holds more than is read at once.
  return { events: ordered((await read(first - 1, first, null)).flat()), covered: first }
}

function ordered(events: OrderedEvent[]): OrderedEvent[] {
  return events.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

async function readRows(
  { db, classes }: Context,
  sync: Sync,
  after: number,
  through: number,
  limit: number | null,
): Promise<OrderedEvent[]> {
  const { className, names } = sync
  const [block, logIndex] = [sql.id(names.block), sql.id(names.logIndex)]
  const rows = await db.query<{ row: JsonRow }>(sql`
    select to_jsonb(t.*) as row from ${sql.table(className)} t
    where ${rowsOf(sync)} and ${block} > ${after} and ${block} <= ${through}
    order by ${block}, ${logIndex}
    limit ${limit}`)
  return rows.map(({ row }) => ({
    className,
    object: decodeObject(classes.get(className), row),
    block: Number(row[names.block]),
    logIndex: Number(row[names.logIndex]),
    time: new Date(row.createdAt),
  }))
}

/** Removes the documents of a state, in parts; then it begins with the first event. Nobody is notified: they come again. */
async function clearState({ db, classes }: Context, { name, classes: kept }: StateRow): Promise<Step> {
  await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
  for (const className of kept) {
    if (!classes.find(className)) continue
    const table = sql.table(className)
    const gone = await db.query(sql`
      delete from ${table}
      where "objectId" in (select "objectId" from ${table} limit ${clearedAtOnce})
      returning 1`)
    db.reportChange(className)
    if (gone.length === clearedAtOnce) return 'more'
  }
  await db.query(sql`delete from countersign.chain_state_undo where state = ${name}`)
  await db.query(
    sql`update countersign.chain_states set cleared = false, block = -1, undoable = -1, left_out = 0 where name = ${name}`,
  )
  return 'more'
}

/** The states that are known, of code that is not loaded any more too, and how far each is. */
export async function listStates(context: Context, name?: string): Promise<StateRecord[]> {
  const isWanted = name === undefined ? sql`true` : sql`s.name = ${name}`
  const rows = await context.db.query<StateRow & { error: string | null; tip: number | null; current: boolean }>(sql`
    select s.*, c.tip, ${isFollowedNow(context, sql`c`)} as current
    from countersign.chain_states s
    left join countersign.chain_state c on c.chain = s.chain
    where ${isWanted}
    order by s.name`)
  return rows.map(({ name, chain, events, classes, version, block, tip, current, cleared, error, left_out }) => ({
    name,
    chain,
    events,
    classes,
    version,
    status: current && !cleared && block === tip ? 'SYNCED' : 'SYNCING',
    block: cleared ? -1 : block,
    ...(left_out > 0 && { leftOut: left_out }),
    ...(error !== null && { error }),
  }))
}

/** Has a state worked out again from its first event on. */
async function repeatState(context: Context, name: string): Promise<StateRecord> {
  await context.db.query(sql`
    update countersign.chain_states set cleared = true, error = null, due = null, failures = 0
    where name = ${name}`)
  const [found] = await listStates(context, name)
  if (!found) throw new CountersignError('ObjectNotFound', 'Computed state not found.')
  await context.db.query(sql`select pg_notify('countersign_chain', '')`)
  return found
}

export const listStatesEndpoint = defineEndpoint('listStates', {
  handle: async ({ context }) => ({ results: await listStates(context) }),
})

export const replayStateEndpoint = defineEndpoint('replayState', {
  handle: ({ context, params: { name } }) => repeatState(context, name),
})
