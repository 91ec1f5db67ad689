import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context/Context.ts'
import { createLoop } from '../../context/createLoop.ts'
import type { Chain } from '../nodes/Chain.ts'
import type { Chains } from '../nodes/Chains.ts'
import { backFill } from './backFill.ts'
import { type ChainState, claimChain, noteState } from './chainState.ts'
import { claimWork, releaseWork, renewWork } from './claimWork.ts'
import { createSpans, type Spans } from './createSpans.ts'
import { type Follower, leaseLength } from './Follower.ts'
import { followHead, type HeadMemory } from './followHead.ts'
import { LeaseLost } from './LeaseLost.ts'
import { openTransferClass } from './openTransferClass.ts'
import { releaseChain } from './releaseChain.ts'
import { sweepIndex } from './sweepIndex.ts'
import { syncSources } from './syncSources.ts'
import type { Work } from './Work.ts'

export type Indexer = { stop(): Promise<void> }

/** Milliseconds after which sources are compared again, for a notification of a linked wallet that was lost. */
const lookAgain = 60_000
/** Not more often than this, however many wallets are linked: all of them are looked through. */
const shortestLook = 500
/** Milliseconds that a stop waits for a node that does not answer. */
const patience = 3_000
const longestWait = 60_000
/** Blocks that are asked for first, before it is known how full they are. */
const firstSpans = { all: 100, watched: 100, contract: 2_000, address: 2_000, transactions: 10 }

/** Follows the chains whose settings ask for it. Any number of servers may do so on one database. */
export async function startIndexer(context: Context, chains: Chains): Promise<Indexer> {
  const followed = chains.all().filter(({ settings }) => settings.index && settings.index.mode !== 'off')
  if (followed.length === 0 || !context.config.indexer.enabled) return { stop: async () => {} }
  const className = await openTransferClass(context)
  const running = followed.map((chain) => followChain(context, chain, className))
  const unlisten = await context.db.listen('countersign_chain', wakeAll, wakeAll)

  function wakeAll() {
    for (const { wake } of running) wake()
  }

  return {
    async stop() {
      await unlisten()
      await Promise.all(running.map(({ stop }) => stop()))
    },
  }
}

function followChain(context: Context, chain: Chain, className: string): Indexer & { wake(): void } {
  const { log } = context
  const settings = chain.settings.index as NonNullable<typeof chain.settings.index>
  const follower: Follower = { context, chain, settings, className, runner: randomUUID() }
  const control = new AbortController()
  const { signal } = control
  const memory: HeadMemory = { lagging: 0 }
  const spans = new Map<Work['kind'], Spans>()
  const reading = new Map<number, Promise<void>>()
  let looked = Number.NEGATIVE_INFINITY
  let dirty = true
  let complaint: string | undefined

  const follow = createLoop({ log, name: `chain ${chain.id}`, turn: followTurn, poll: settings.pollInterval })
  const fill = createLoop({ log, name: `back-fill ${chain.id}`, turn: fillTurn, poll: settings.pollInterval })
  const renewal = setInterval(() => {
    if (reading.size > 0) renewWork(follower).catch(() => {})
  }, leaseLength / 3)
  renewal.unref()

  async function followTurn(): Promise<void> {
    try {
      const state = await claimChain(follower)
      if (!state) return
      await lookForSources(state)
      await followHead(follower, state, memory, signal)
      if (complaint !== undefined) log.info({ chain: chain.id }, 'a chain is followed again')
      complaint = undefined
    } catch (error) {
      // Its turn comes again; whoever has the chain now goes on meanwhile.
      if (error instanceof LeaseLost || signal.aborted) return
      await complain(error)
    }
  }

  async function lookForSources(state: ChainState): Promise<void> {
    const since = performance.now() - looked
    if (!dirty && since < lookAgain) return
    if (since < shortestLook) return follow.wakeIn(shortestLook - since)
    looked = performance.now()
    dirty = false
    try {
      // A wallet may be linked meanwhile: what its notification says must not be overwritten.
      if (await syncSources(follower, state)) dirty = true
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
    if (message !== complaint) log.error({ err: error, chain: chain.id }, 'a chain cannot be followed')
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
      if (!signal.aborted) log.warn({ err: error, chain: chain.id }, 'blocks could not be read and will be read later')
      await releaseWork(follower, work, signal.aborted ? undefined : { message, delay }).catch(() => {})
      if (!signal.aborted) fill.wakeIn(delay)
    }
  }

  function spansOf(kind: Work['kind']): Spans {
    const known = spans.get(kind)
    if (known) return known
    const made = createSpans({ first: firstSpans[kind], most: kind === 'transactions' ? 200 : settings.maxRange })
    spans.set(kind, made)
    return made
  }

  return {
    wake() {
      dirty = true
      follow.wake()
    },
    async stop() {
      control.abort(new Error('The server stops.'))
      clearInterval(renewal)
      const ended = Promise.all([follow.stop(), fill.stop(), ...reading.values()])
      await Promise.race([ended, pause(patience, undefined, { ref: false })])
      await releaseChain(follower)
    },
  }
}
