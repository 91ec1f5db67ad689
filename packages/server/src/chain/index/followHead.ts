import { sql } from '../../db/sql.ts'
import { advanceStatesInBlock } from '../events/computeStates.ts'
import {
  confirmEvents,
  interestOf,
  listFollowed,
  planSkippedEvents,
  undoEvents,
  writeBlockEvents,
} from '../events/followEvents.ts'
import { checkNamedWallets } from '../wallets/provenWallets.ts'
import { type ChainState, type Follower, moveTip, noteState } from './chainState.ts'
import { planWork, type Source, targetsOf, transactionTargetsOf } from './planWork.ts'
import { type Header, readBlockLogs, readHeaders, transferInterest } from './readBlocks.ts'
import { reportOlderRows } from './reportOlderRows.ts'
import { followedOf } from './syncSources.ts'
import { decodeTransfers } from './Transfer.ts'
import { readTransactions, writeTransactions } from './transactions.ts'
import { addHoldings, filterWatched, writeTransfers } from './writeTransfers.ts'

/** Blocks that are read together, and written one by one. */
const together = 16

/** Distance in finalized blocks from which on the back-fill reads the missed ones. */
const catchUp = 256

/** Blocks that are remembered below those that may be undone. */
const remembered = 128

/** How often in a row a head below the tip is taken for that of a node that lags. */
const patience = 5

/** State kept between two looks at the head. */
export type HeadMemory = { lagging: number }

/** Brings the index to the head of the chain: undoes blocks that are gone, then adds what is new, block by block. */
export async function followHead(
  follower: Follower,
  claimed: ChainState,
  memory: HeadMemory,
  signal: AbortSignal,
): Promise<void> {
  const { chain } = follower
  const head = await chain.head({ fresh: true })
  const seen = { head: head.number, finalized: await chain.finalized() }
  let state = claimed
  let kept = claimed.tip
  let isSameChain = true
  if (head.hash === state.tip_hash) memory.lagging = 0
  while (head.hash !== state.tip_hash && !signal.aborted) {
    if (head.number <= state.tip) {
      const ancestor = await findAncestor(follower, Math.min(head.number, state.tip))
      // The same chain, only shorter. Another node may lag; blocks that are gone for good stay gone.
      if (ancestor.number === head.number && ++memory.lagging < patience) break
      state = await undo(follower, state, ancestor, seen)
      kept = Math.min(kept, state.tip)
      continue
    }
    memory.lagging = 0
    const behind = seen.finalized - state.tip > catchUp
    const from = behind ? state.tip : state.tip + 1
    const to = behind ? seen.finalized : Math.min(head.number, state.tip + together)
    const headers = await readHeaders(chain, behind ? [from, to] : numbersFrom(from, to))
    const [first] = headers
    if (!first) {
      isSameChain = false
      break
    }
    if ((behind ? first.hash : first.parentHash) !== state.tip_hash) {
      state = await undo(follower, state, await findAncestor(follower, state.tip), seen)
      kept = Math.min(kept, state.tip)
    } else if (behind) {
      const [, last] = headers
      if (!last) {
        isSameChain = false
        break
      }
      state = await skip(follower, state, last, seen)
    } else {
      state = await append(follower, state, linkedOf(headers), seen)
    }
  }
  // Blocks that were not compared with the node's may be of a branch that is gone: none of them is called final.
  if (signal.aborted || !isSameChain) return
  await noteState(follower, { error: null, seen })
  // Blocks that were added just now were reported as what they are.
  const confirmed = { above: claimed.finalized, upTo: Math.min(kept, seen.finalized) }
  await reportOlderRows(follower, 'confirm', confirmed)
  await confirmEvents(follower, Math.min(state.tip, seen.finalized), signal)
}

async function append(follower: Follower, before: ChainState, headers: Header[], seen: Seen): Promise<ChainState> {
  const { context, chain, className, settings } = follower
  const { db } = context
  const syncs = await listFollowed(follower)
  const found = await readBlockLogs(chain, headers, interestOf(syncs, className ? transferInterest : undefined))
  await checkNamedWallets(context, chain, found.flat())
  let state = before
  for (const [index, header] of headers.entries()) {
    const logs = found[index] ?? []
    const transfers = className ? await filterWatched(follower, decodeTransfers(logs)) : []
    const sent =
      settings.transactions && !header.isEmpty
        ? await readTransactions(chain, [header], (parties) => followedOf(follower, parties))
        : undefined
    state = await db.transaction(async () => {
      const moved = await moveTip(follower, state, header, seen)
      await rememberBlock(follower, header, seen.finalized)
      const times = new Map([[header.number, header.timestamp]])
      if (className) await writeTransfers({ db, className, chain: chain.id }, transfers, times)
      await writeTransactions({ db, chain: chain.id }, sent?.transactions ?? [])
      await reportOlderRows(follower, 'create', { above: header.number - 1, upTo: header.number })
      await writeBlockEvents(follower, syncs, header, logs, seen.finalized)
      await advanceStatesInBlock(follower)
      return moved
    })
  }
  return state
}

async function undo(follower: Follower, state: ChainState, ancestor: Header, seen: Seen): Promise<ChainState> {
  const { context, chain } = follower
  const depth = state.tip - ancestor.number
  const final = Math.min(state.tip, state.finalized)
  // Rows of these blocks are confirmed: applications paid out by them, and nothing may take them back in silence.
  if (ancestor.number < final) throw replacedBelow(follower, ancestor.number + 1, final)
  context.log.info(
    { chain: chain.id, depth, ancestor: ancestor.number },
    'chain reorganization: replaced blocks were undone',
  )
  return context.db.transaction(async () => {
    const moved = await moveTip(follower, state, ancestor, seen)
    await undoBlocks(follower, ancestor.number)
    return moved
  })
}

async function skip(follower: Follower, state: ChainState, to: Header, seen: Seen): Promise<ChainState> {
  const { db } = follower.context
  const sources = await db.query<Source>(
    sql`select kind, address from countersign.chain_sources where chain = ${follower.chain.id} limit 1001`,
  )
  return db.transaction(async () => {
    const moved = await moveTip(follower, state, to, seen)
    await rememberBlock(follower, to, seen.finalized)
    const targets = [...targetsOf(sources), ...transactionTargetsOf(follower, sources)]
    await planWork(follower, targets, state.tip + 1, to.number)
    await planSkippedEvents(follower, state.tip + 1, to.number)
    return moved
  })
}

async function rememberBlock({ context, chain }: Follower, header: Header, finalized: number): Promise<void> {
  const oldest = Math.min(finalized, header.number) - remembered
  await context.db.query(sql.named('chain-remember-block')`
    with old as (delete from countersign.chain_blocks where chain = ${chain.id} and number < ${oldest})
    insert into countersign.chain_blocks
    values (${chain.id}, ${header.number}, ${header.hash}, to_timestamp(${header.timestamp}))
    on conflict (chain, number) do update set hash = excluded.hash, time = excluded.time`)
}

type Seen = { head: number; finalized: number }

function numbersFrom(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** As far as each block names the one before it: the chain may change while it is read. */
function linkedOf(headers: readonly (Header | undefined)[]): Header[] {
  const linked: Header[] = []
  for (const header of headers) {
    const before = linked.at(-1)
    if (!header || (before && header.parentHash !== before.hash)) break
    linked.push(header)
  }
  return linked
}

/** Undoes blocks above `ancestor` in the open transaction. Subscribers are notified, because they received them. */
async function undoBlocks(follower: Follower, ancestor: number): Promise<void> {
  const { context, chain } = follower
  const { db } = context
  await reportOlderRows(follower, 'delete', { above: ancestor, upTo: Number.MAX_SAFE_INTEGER })
  // Includes classes stored before transfers were switched off.
  const kept = await db.query<{ className: string }>(sql`select "className" from countersign.chain_classes`)
  for (const { className } of kept) {
    if (context.classes.find(className)) await undoTransfers(follower, className, ancestor)
  }
  await undoEvents(follower, ancestor)
  await db.query(sql`delete from countersign.chain_transactions where chain = ${chain.id} and block > ${ancestor}`)
  await db.query(sql`delete from countersign.chain_blocks where chain = ${chain.id} and number > ${ancestor}`)
  // Ranges still being read from removed blocks are rejected when written.
  await db.query(sql`
    update countersign.chain_work set last = ${ancestor} where chain = ${chain.id} and last > ${ancestor}`)
}

async function undoTransfers({ context, chain }: Follower, className: string, ancestor: number): Promise<void> {
  const { db } = context
  const table = sql.table(className)
  const touched = await db.query<{
    token: string
    id: string
    owner: string
  }>(sql`
    with fresh as (delete from ${table} where "chain" = ${chain.id} and "block" > ${ancestor} returning *)
    ${addHoldings(-1)}
    returning token, id::text, owner`)
  db.reportChange(className)
  if (touched.length > 0) {
    await db.query(sql`
      with last as (
        select h.token, h.id, h.owner, (
          select max(t."block") from ${table} t
          where t."token" = h.token and t."tokenId" = h.id::text and t."chain" = ${chain.id}
            and t."kind" <> 'erc20' and (t."from" = h.owner or t."to" = h.owner)
        ) as block
        from unnest(
          ${touched.map(({ token }) => token)}::text[],
          ${touched.map(({ id }) => id)}::numeric[],
          ${touched.map(({ owner }) => owner)}::text[]) as h (token, id, owner)
      ), gone as (
        delete from countersign.chain_holdings h using last
        where h.chain = ${chain.id} and h.token = last.token and h.id = last.id and h.owner = last.owner
          and last.block is null
      )
      update countersign.chain_holdings h set block = last.block
      from last
      where h.chain = ${chain.id} and h.token = last.token and h.id = last.id and h.owner = last.owner
        and last.block is not null`)
  }
}

/** The chain was replaced below blocks that were final. */
class ChainReplaced extends Error {
  override readonly name = 'ChainReplaced'
}

function replacedBelow({ className }: Follower, first: number, final: number | undefined): ChainReplaced {
  const blocks = final === undefined || final === first ? `block ${first} on` : `block ${first} to ${final}`
  return new ChainReplaced(
    `The node has no or different finalized blocks (from ${blocks}) than the index. Nothing was changed. If the ` +
      `chain was set up again, delete ${className ? `the class ${className}` : 'the classes of its events'} and restart the server to index it again.`,
  )
}

const ancestorsRead = 32

/** The newest block, at `below` or under it, that the node and the index have in common. */
async function findAncestor(follower: Follower, below: number): Promise<Header> {
  const { context, chain } = follower
  const known = await context.db.query<{ number: number; hash: string }>(sql`
    select number, hash from countersign.chain_blocks
    where chain = ${chain.id} and number <= ${below}
    order by number desc`)
  for (let at = 0; at < known.length; at += ancestorsRead) {
    const stored = known.slice(at, at + ancestorsRead)
    const headers = await readHeaders(
      chain,
      stored.map(({ number }) => number),
    )
    const place = stored.findIndex(({ hash }, index) => headers[index]?.hash === hash)
    const found = headers[place]
    if (found) return found
  }
  throw replacedBelow(follower, known.at(-1)?.number ?? below, undefined)
}
