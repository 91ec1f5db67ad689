import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { hasSaveHooks } from '../../hooks/runHooks.ts'
import type { Sync } from '../events/compileSync.ts'
import { type Child, findChildren, readChildren, writeChildren } from '../events/followEvents.ts'
import { loadSyncs } from '../events/syncs.ts'
import { type EventRow, readEvents, writeEvents } from '../events/writeEvents.ts'
import type { Chain } from '../nodes/Chain.ts'
import { checkNamedWallets } from '../wallets/provenWallets.ts'
import { type Follower, indexProgress, LeaseLost, leaseEnd, type Work } from './chainState.ts'
import type { Spans } from './planWork.ts'
import { readHeader, toHex } from './readBlocks.ts'
import { followedOf } from './syncSources.ts'
import {
  batchTopic,
  decodeTransfers,
  type RpcLog,
  singleTopic,
  type Transfer,
  transferId,
  transferTopic,
  transferTopics,
} from './Transfer.ts'
import { readTransactions, type Transaction, writeTransactions } from './transactions.ts'
import { filterWatched, writeTransfers } from './writeTransfers.ts'

/** Reads a claimed stretch to its end, or until the signal. What comes next is read while this is written. */
export async function backFill(follower: Follower, work: Work, spans: Spans, signal: AbortSignal): Promise<void> {
  const readStretch = await createReading(follower, work)

  const read = async (from: number): Promise<ReadBlocks> => {
    for (;;) {
      signal.throwIfAborted()
      const to = Math.min(work.last, from + spans.next() - 1)
      try {
        const found = await readStretch(from, to)
        spans.answered(to - from + 1, found.logs)
        return { ...found, from, to }
      } catch (error) {
        if (!spans.failed(to - from + 1, error)) throw error
      }
    }
  }

  // Each block is read once, unless a stretch was stopped in between or is planned again.
  let allNew = work.kind === 'all' || work.kind === 'events'
  let reading: Promise<ReadBlocks> | undefined = read(work.next)
  while (reading) {
    const done: ReadBlocks = await reading
    reading = done.to < work.last ? read(done.to + 1) : undefined
    // Waited for below, unless writing fails first.
    reading?.catch(() => {})
    for (const part of partsOf(follower, done)) {
      allNew = await commitWork(follower, work, part, allNew)
    }
  }
}

type ReadStretch = (from: number, to: number) => Promise<Found>

function createReading(follower: Follower, work: Work): ReadStretch | Promise<ReadStretch> {
  if (work.kind === 'transactions') return readSent(follower, work)
  return work.kind === 'events' || work.kind === 'factory' ? readHappened(follower, work) : readMoved(follower, work)
}

/** The events of a stretch, or the contracts that a factory made in it. */
async function readHappened({ context, chain }: Follower, work: Work): Promise<ReadStretch> {
  const all = await loadSyncs(context, chain.id)
  const syncs = all.filter(({ sync }) => work.syncs.includes(sync.id)).map(({ sync }) => sync)
  const filters = work.kind === 'factory' ? syncs.map(factoryFilter) : eventFilters(syncs, work.addresses)
  return async (from, to) => {
    const { logs, times } = await readLogs(chain, filters, from, to)
    if (work.kind === 'factory') return { ...nothing, logs: logs.length, children: readChildren(syncs, logs) }
    await checkNamedWallets(context, chain, logs)
    const events = await readEvents(syncs, logs, await findChildren(context, syncs, logs))
    await addTimes(chain, events, times)
    return { ...nothing, logs: logs.length, times, events }
  }
}

function factoryFilter({ factory }: Sync): LogFilter {
  return { address: factory?.contracts ?? [], topics: [factory?.topic ?? null] }
}

/** Joins several events into one filter if none has a filter of its own. */
function eventFilters(syncs: readonly Sync[], addresses: readonly string[]): LogFilter[] {
  const address = addresses.length > 0 ? { address: addresses } : {}
  const [first] = syncs
  if (!first) return []
  if (syncs.length === 1) return [{ ...address, topics: [first.topic, ...first.topics] }]
  return [{ ...address, topics: [[...new Set(syncs.map(({ topic }) => topic as string))]] }]
}

/** Events that are written in one transaction: on the embedded database everyone else waits for it. */
const mostEvents = { embedded: 500, postgres: 5_000, hooked: 50 }

/** Splits a read into parts of whole blocks that are quick to write. */
function partsOf({ context }: Follower, read: ReadBlocks): ReadBlocks[] {
  const isHooked = read.events.some(({ sync }) => hasSaveHooks(context, sync.className))
  const most = isHooked ? mostEvents.hooked : mostEvents[context.db.kind]
  if (read.events.length <= most) return [read]
  const parts: ReadBlocks[] = []
  let [from, events]: [number, EventRow[]] = [read.from, []]
  for (const row of read.events) {
    const before = events.at(-1)?.block
    if (events.length >= most && before !== undefined && before < row.block) {
      parts.push({ ...read, from, to: before, events })
      from = before + 1
      events = []
    }
    events.push(row)
  }
  return [...parts, { ...read, from, events }]
}

function readMoved(follower: Follower, work: Work): ReadStretch {
  const filters = logFilters(work)
  return async (from, to) => {
    const found = await readTransfers(follower.chain, filters, from, to)
    const transfers = work.kind === 'watched' ? await filterWatched(follower, found.transfers) : found.transfers
    return { ...nothing, ...found, transfers }
  }
}

function readSent(follower: Follower, { addresses }: Work): ReadStretch {
  const named = new Set(addresses)
  const pick = (parties: Set<string>) => (named.size > 0 ? named : followedOf(follower, parties))
  return async (from, to) => {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => toHex(from + index))
    const { transactions, seen } = await readTransactions(follower.chain, numbers, pick)
    return { ...nothing, logs: seen, transactions }
  }
}

type Found = ReadTransfers & { transactions: Transaction[]; events: EventRow[]; children: Child[] }

const nothing: Found = { transfers: [], times: new Map(), logs: 0, transactions: [], events: [], children: [] }

/** Logs of a range of blocks. */
type ReadBlocks = Found & { from: number; to: number }

/**
 * Writes the rows from `from` to `to` and the progress in one transaction: a crash leaves both or neither. Returns true
 * if the next rows can also be assumed new.
 */
async function commitWork(
  follower: Follower,
  work: Work,
  { from, to, transfers, times, transactions, events, children }: ReadBlocks,
  allNew: boolean,
): Promise<boolean> {
  const { context, chain, className, runner } = follower
  const { db, clock } = context
  const write = async (isNew: boolean) => {
    // Old events are not sent to subscribers.
    await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
    const [moved] = await db.query<{ syncs: string[] }>(sql.named('chain-move-work')`
      update countersign.chain_work set next = ${to}::bigint + 1, lease_until = ${leaseEnd(follower)},
        failures = 0, error = null, ended = case when last = ${to} then ${clock.now()}::timestamptz end
      where id = ${work.id} and runner = ${runner} and next = ${from} and last >= ${to}
      returning syncs`)
    if (!moved) throw new LeaseLost('Another process indexes these blocks.')
    db.reportChange(indexProgress)
    if (className) await writeTransfers({ db, className, chain: chain.id, allNew: isNew }, transfers, times)
    // A removed sync is no longer part of the work.
    const syncs = new Set(moved.syncs)
    await writeChildren(
      context,
      children.filter(({ sync }) => syncs.has(sync)),
    )
    const wanted = events.filter(({ sync }) => syncs.has(sync.id))
    if (wanted.length > 0) await writeEvents(context, wanted, { times, final: to, allNew: isNew })
    await writeTransactions({ db, chain: chain.id }, transactions)
  }
  let isNew = allNew
  await db
    .transaction(() => write(isNew))
    .catch((error) => {
      if (!isUniqueViolation(error)) throw error
      isNew = false
      return db.transaction(() => write(isNew))
    })
  await noteProgress(follower, to - from + 1, transfers.length + events.length)
  return isNew
}

/** For the estimate alone: outside the transaction, in which others would wait for the row. */
async function noteProgress({ context, chain }: Follower, blocks: number, transfers: number): Promise<void> {
  const slot = new Date(Math.floor(context.clock.now().getTime() / 10_000) * 10_000)
  await context.db.query(sql.named('chain-note-progress')`
    insert into countersign.chain_progress as p values (${chain.id}, ${slot}, ${blocks}, ${transfers})
    on conflict (chain, slot) do update set
      blocks = p.blocks + excluded.blocks, transfers = p.transfers + excluded.transfers`)
}

type ReadTransfers = {
  transfers: Transfer[]
  /** The time of each block that has transfers, in seconds. */
  times: Map<number, number>
  /** Number of logs returned by the node. */
  logs: number
}

/** The transfers of a stretch of blocks, with the times of their blocks. */
async function readTransfers(
  chain: Chain,
  filters: readonly LogFilter[],
  from: number,
  to: number,
): Promise<ReadTransfers> {
  const { logs, times } = await readLogs(chain, filters, from, to)
  const transfers = filters.length > 1 ? withoutRepeats(chain.id, decodeTransfers(logs)) : decodeTransfers(logs)
  await addTimes(chain, transfers, times)
  return { transfers, times, logs: logs.length }
}

/** Logs of a range of blocks, with block times if the node includes them. */
async function readLogs(
  chain: Chain,
  filters: readonly LogFilter[],
  from: number,
  to: number,
): Promise<{ logs: RpcLog[]; times: Map<number, number> }> {
  const range = { fromBlock: toHex(from), toBlock: toHex(to) }
  const outcomes = await chain.batch(
    [
      ...filters.map((filter) => ({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })),
      // A lagging node returns only the logs it has: it must prove that it has the last block too.
      { method: 'eth_getBlockByNumber', params: [toHex(to), false] },
    ],
    { keep: 'none' },
  )
  const answers = outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result
  })
  const last = readHeader(answers.pop())
  const logs = (answers as RpcLog[][]).flat()
  const times = new Map([[to, last.timestamp]])
  for (const { blockNumber, blockTimestamp } of logs) {
    if (blockTimestamp) times.set(Number(blockNumber), Number(blockTimestamp))
  }
  return { logs, times }
}

/** Removes duplicates: a transfer between two indexed addresses is returned twice. */
function withoutRepeats(chain: number, transfers: Transfer[]): Transfer[] {
  return [...new Map(transfers.map((transfer) => [transferId(chain, transfer), transfer])).values()]
}

async function addTimes(chain: Chain, read: readonly { block: number }[], times: Map<number, number>): Promise<void> {
  const missing = new Set<number>()
  for (const { block } of read) if (!times.has(block)) missing.add(block)
  if (missing.size === 0) return
  const numbers = [...missing]
  const outcomes = await chain.batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toHex(number), false] })),
    { keep: 'none' },
  )
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error
    const { number, timestamp } = readHeader(outcome.result)
    times.set(number, timestamp)
  }
}

type LogFilter = { address?: readonly string[]; topics: (string | string[] | null)[] }

/** Log filters that together cover all wanted transfers. */
function logFilters({ kind, addresses }: Pick<Work, 'kind' | 'addresses'>): LogFilter[] {
  if (kind === 'contract') return [{ address: addresses, topics: [transferTopics] }]
  if (kind !== 'address') return [{ topics: [transferTopics] }]
  const parties = addresses.map((address) => `0x${address.slice(2).padStart(64, '0')}`)
  // The sender is the first indexed topic of ERC-20 and ERC-721, and the second of ERC-1155, after the operator.
  return [
    { topics: [transferTopic, parties] },
    { topics: [transferTopics, null, parties] },
    { topics: [[singleTopic, batchTopic], null, null, parties] },
  ]
}
