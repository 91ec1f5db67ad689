import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { indexOff } from '../../config/chainSettings.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { createPoller } from '../../work/createPoller.ts'
import { advanceStates } from '../events/computeStates.ts'
import { advanceSyncs, restartSyncs } from '../events/followEvents.ts'
import { configureSyncs, loadSyncs } from '../events/syncs.ts'
import { updateAccess } from '../events/writeEvents.ts'
import type { Chain, Chains } from '../nodes/Chain.ts'
import { backFill } from './backFill.ts'
import {
  type ChainState,
  claimChain,
  type Follower,
  LeaseLost,
  leaseEnd,
  leaseLength,
  noteState,
  renewLeases,
  type Work,
} from './chainState.ts'
import { followHead, type HeadMemory } from './followHead.ts'
import { openTransferClass } from './openTransferClass.ts'
import { createSpans, type Spans } from './planWork.ts'
import { describeTokens } from './reportOlderRows.ts'
import { syncSources } from './syncSources.ts'

/** Age (ms) after which readings no longer count for the time left. */
const kept = 24 * 3_600_000

export type Indexer = { stop(): Promise<void> }

/** Milliseconds after which sources are compared again, for a notification of a linked wallet that was lost. */
const lookAgain = 60_000
/** Not more often than this, however many wallets are linked: all of them are looked through. */
const shortestLook = 500
/** Time (ms) that a stop waits for a node that does not respond. */
const patience = 3_000
const longestWait = 60_000
/** Number of blocks in the first request, before their density is known. */
const firstSpans = {
  all: 100,
  watched: 100,
  contract: 2_000,
  address: 2_000,
  transactions: 10,
  events: 1_000,
  factory: 2_000,
}
/**
 * Any event may be read, so that each log takes longer and is larger: requests must not wait for a response of many.
 */
const eventLogs = { few: 1_500, many: 6_000 }

/** Follows the chains whose settings, or whose syncs, ask for it. Any number of servers may do so on one database. */
export async function startIndexer(context: Context, chains: Chains): Promise<Indexer> {
  const { config, db, log } = context
  await configureSyncs(context, chains)
  const indexed = chains.all().filter(({ settings }) => settings.index && settings.index.mode !== 'off')
  if (chains.all().length === 0 || !config.indexer.enabled) return { stop: async () => {} }
  const className = indexed.length > 0 ? await openTransferClass(context) : undefined
  const running = new Map(indexed.map((chain) => [chain.id, followChain(context, chain, className)]))
  await followSynced()
  const access = createPoller({ log, name: 'access to events', turn: accessTurn, poll: lookAgain })
  const unlisten = await db.listen('countersign_chain', wakeAll, wakeAll)

  /** A chain that is followed for its syncs alone begins with the first of them. */
  async function followSynced(): Promise<void> {
    const synced = await db.query<{ chain: number }>(sql`select distinct chain from countersign.chain_syncs`)
    for (const { chain: id } of synced) {
      const chain = chains.find(id)
      if (chain && !running.has(id)) running.set(id, followChain(context, chain, undefined))
    }
  }

  async function accessTurn(): Promise<void> {
    await followSynced()
    const followed = await Promise.all([...running.keys()].map((chain) => loadSyncs(context, chain)))
    const syncs = followed.flat().map(({ sync }) => sync)
    while (await updateAccess(context, syncs));
  }

  function wakeAll() {
    for (const { wake } of running.values()) wake()
    access.wake()
  }

  return {
    async stop() {
      await unlisten()
      await access.stop()
      await Promise.all([...running.values()].map(({ stop }) => stop()))
    },
  }
}

/** Milliseconds between questions for the names of tokens. */
const describeAgain = 5_000

function followChain(context: Context, chain: Chain, className: string | undefined): Indexer & { wake(): void } {
  const { log } = context
  const settings = chain.settings.index ?? indexOff
  const transferClass = settings.mode === 'off' ? undefined : className
  const follower: Follower = { context, chain, settings, className: transferClass, runner: randomUUID() }
  const control = new AbortController()
  const { signal } = control
  const memory: HeadMemory = { lagging: 0 }
  const spansOf = createSpansByKind(settings.maxRange)
  const reading = new Map<number, Promise<void>>()
  let looked = Number.NEGATIVE_INFINITY
  const asked = new Set<string>()
  let described = Number.NEGATIVE_INFINITY
  let dirty = true
  let complaint: string | undefined

  const follow = createPoller({ log, name: `chain ${chain.id}`, turn: followTurn, poll: settings.pollInterval })
  const fill = createPoller({ log, name: `back-fill ${chain.id}`, turn: fillTurn, poll: settings.pollInterval })
  const renewal = setInterval(() => void renewLeases(follower).catch(() => {}), leaseLength / 3)
  renewal.unref()

  async function followTurn(): Promise<void> {
    try {
      const state = await claimChain(follower, (block) => restartSyncs(follower, block))
      if (!state) return
      await lookForSources(state)
      await followHead(follower, state, memory, signal)
      await describe()
      if (await advanceStates(follower, signal)) follow.wake()
      if (complaint !== undefined) log.info({ chain: chain.id }, 'indexing a chain resumed')
      complaint = undefined
    } catch (error) {
      // Its turn comes again; the process that has the chain now continues.
      if (error instanceof LeaseLost || signal.aborted) return
      await complain(error)
    }
  }

  async function describe(): Promise<void> {
    if (performance.now() - described < describeAgain) return
    described = performance.now()
    // Names are for people: if the node does not respond, the chain is indexed without them.
    await describeTokens(follower, asked).catch((err) =>
      log.debug({ err, chain: chain.id }, 'token descriptions could not be read'),
    )
  }

  async function lookForSources(state: ChainState): Promise<void> {
    const since = performance.now() - looked
    if (!dirty && since < lookAgain) return
    if (since < shortestLook) return follow.wakeIn(shortestLook - since)
    looked = performance.now()
    dirty = false
    try {
      // A wallet may be linked in between: its notification must not be overwritten.
      if (await syncSources(follower, state)) dirty = true
      await advanceSyncs(follower, state, signal)
    } catch (error) {
      dirty = true
      throw error
    }
    if (dirty) follow.wake()
    await sweepIndex(follower)
    fill.wake()
  }

  async function complain(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== complaint) log.error({ err: error, chain: chain.id }, 'indexing a chain failed')
    complaint = message
    await noteState(follower, { error: message.slice(0, 1_000) }).catch(() => {})
  }

  async function fillTurn(): Promise<void> {
    while (reading.size < settings.concurrency && !signal.aborted) {
      const work = await claimWork(follower)
      if (!work) return
      const done = read(work).finally(() => {
        reading.delete(work.id)
        fill.wake()
        // Work after the search for contracts is planned by the process that indexes the chain.
        if (work.kind === 'factory') context.db.query(sql`select pg_notify('countersign_chain', '')`).catch(() => {})
      })
      reading.set(work.id, done)
    }
  }

  async function read(work: Work): Promise<void> {
    try {
      await backFill(follower, work, spansOf(work.kind), signal)
    } catch (error) {
      if (error instanceof LeaseLost) return
      const message = error instanceof Error ? error.message : String(error)
      const delay = Math.min(500 * 2 ** work.failures, longestWait)
      if (!signal.aborted) log.warn({ err: error, chain: chain.id }, 'reading blocks failed, retrying later')
      await releaseWork(follower, work, signal.aborted ? undefined : { message, delay }).catch(() => {})
      if (!signal.aborted) fill.wakeIn(delay)
    }
  }

  return {
    wake() {
      dirty = true
      follow.wake()
    },
    async stop() {
      control.abort(new Error('The server is stopping.'))
      clearInterval(renewal)
      const ended = Promise.all([follow.stop(), fill.stop(), ...reading.values()])
      await Promise.race([ended, pause(patience, undefined, { ref: false })])
      await releaseChain(follower)
    },
  }
}

/** Each kind of work learns its own number of blocks a request: their density differs. */
function createSpansByKind(maxRange: number): (kind: Work['kind']) => Spans {
  const spans = new Map<Work['kind'], Spans>()
  return (kind) => {
    const known = spans.get(kind)
    if (known) return known
    const made = createSpans({
      first: firstSpans[kind],
      most: kind === 'transactions' ? 200 : maxRange,
      ...(kind === 'events' && eventLogs),
    })
    spans.set(kind, made)
    return made
  }
}

/** Lets another process follow the chain at once. */
async function releaseChain({ context, chain, runner }: Follower): Promise<void> {
  await context.db.query(sql`
    update countersign.chain_state set runner = null, lease_until = null
    where chain = ${chain.id} and runner = ${runner}`)
}

/** Forgets stretches that were read, once all of a chain are, and old marks of progress. */
async function sweepIndex({ context, chain }: Follower): Promise<void> {
  const { db, clock } = context
  const before = new Date(clock.now().getTime() - kept)
  await db.query(sql`
    delete from countersign.chain_work
    where chain = ${chain.id} and next > last and (ended is null or ended < ${before})
      and not exists (select from countersign.chain_work w where w.chain = ${chain.id} and w.next <= w.last)`)
  await db.query(sql`delete from countersign.chain_progress where chain = ${chain.id} and slot < ${before}`)
}

/** Takes the earliest stretch that nobody works on. */
async function claimWork(follower: Follower): Promise<Work | undefined> {
  const { context, chain, runner } = follower
  const now = context.clock.now()
  const [work] = await context.db.query<Work>(sql.named('chain-claim-work')`
    with free as (
      select id from countersign.chain_work
      where chain = ${chain.id} and next <= last and due <= ${now}
        and (lease_until is null or lease_until <= ${now})
      order by first, id
      limit 1
      for update skip locked
    )
    update countersign.chain_work w set runner = ${runner}, lease_until = ${leaseEnd(follower)}
    from free
    where w.id = free.id
    returning w.id, w.kind, w.addresses, w.syncs, w.first, w.next, w.last, w.failures`)
  return work
}

/** Gives a stretch back, for now or for later. */
async function releaseWork(
  { context, runner }: Follower,
  { id }: Work,
  failure?: { message: string; delay: number },
): Promise<void> {
  const due = failure ? new Date(context.clock.now().getTime() + failure.delay) : null
  await context.db.query(sql`
    update countersign.chain_work set runner = null, lease_until = null,
      error = ${failure?.message.slice(0, 1_000) ?? null}, due = coalesce(${due}, due),
      failures = failures + ${failure ? 1 : 0}
    where id = ${id} and runner = ${runner}`)
}
