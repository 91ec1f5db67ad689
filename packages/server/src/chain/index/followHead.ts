import { type ChainState, moveTip, noteState } from './chainState.ts'
import type { Follower } from './Follower.ts'
import { findAncestor } from './findAncestor.ts'
import { followedOf } from './followedOf.ts'
import { keepWatched } from './keepWatched.ts'
import { planWork, type Source, targetsOf, transactionTargetsOf } from './planWork.ts'
import { readBlockTransfers, readHeaders } from './readBlocks.ts'
import type { Header } from './readHeader.ts'
import { readTransactions } from './readTransactions.ts'
import type { Transfer } from './Transfer.ts'
import { undoBlocks } from './undoBlocks.ts'
import { writeTransactions } from './writeTransactions.ts'
import { writeTransfers } from './writeTransfers.ts'

/** Blocks that are read together, and written one by one. */
const together = 16
/** Further behind than so many final blocks, what was missed is left to the back-fill. */
const catchUp = 256
/** Blocks that are remembered below those that may be undone. */
const remembered = 128
/** How often in a row a head below the tip is taken for that of a node that lags. */
const patience = 5

/** What is remembered from one look at the head to the next. */
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
  if (head.hash === state.tip_hash) memory.lagging = 0
  while (head.hash !== state.tip_hash && !signal.aborted) {
    if (head.number <= state.tip) {
      const ancestor = await findAncestor(follower, Math.min(head.number, state.tip))
      // The same chain, only shorter. Another node may lag; blocks that are gone for good stay gone.
      if (ancestor.number === head.number && ++memory.lagging < patience) break
      state = await undo(follower, state, ancestor, seen)
      continue
    }
    memory.lagging = 0
    const behind = seen.finalized - state.tip > catchUp
    const from = behind ? state.tip : state.tip + 1
    const to = behind ? seen.finalized : Math.min(head.number, state.tip + together)
    const headers = await readHeaders(chain, behind ? [from, to] : numbersFrom(from, to))
    const [first] = headers
    if (!first) break
    if ((behind ? first.hash : first.parentHash) !== state.tip_hash) {
      state = await undo(follower, state, await findAncestor(follower, state.tip), seen)
    } else if (behind) {
      const [, last] = headers
      if (!last) break
      state = await skip(follower, state, last, seen)
    } else {
      state = await append(follower, state, linkedOf(headers), seen)
    }
  }
  await noteState(follower, { error: null, seen })
}

async function append(follower: Follower, before: ChainState, headers: Header[], seen: Seen): Promise<ChainState> {
  const { context, chain, className, settings } = follower
  const { db } = context
  const found = await readBlockTransfers(chain, headers)
  let state = before
  for (const [index, header] of headers.entries()) {
    const transfers = await keepWatched(follower, found[index] as Transfer[])
    const sent =
      settings.transactions && !header.isEmpty
        ? await readTransactions(chain, [header], (parties) => followedOf(follower, parties))
        : undefined
    state = await db.transaction(async () => {
      const moved = await moveTip(follower, state, header, seen)
      await rememberBlock(follower, header, seen.finalized)
      const times = new Map([[header.number, header.timestamp]])
      await writeTransfers({ db, className, chain: chain.id }, transfers, times)
      await writeTransactions({ db, chain: chain.id }, sent?.transactions ?? [])
      return moved
    })
  }
  return state
}

function undo(follower: Follower, state: ChainState, ancestor: Header, seen: Seen): Promise<ChainState> {
  const { context, chain } = follower
  const depth = state.tip - ancestor.number
  context.log.info(
    { chain: chain.id, depth, ancestor: ancestor.number },
    'blocks of a chain were replaced and are undone',
  )
  return context.db.transaction(async () => {
    const moved = await moveTip(follower, state, ancestor, seen)
    await undoBlocks(follower, ancestor.number)
    return moved
  })
}

async function skip(follower: Follower, state: ChainState, to: Header, seen: Seen): Promise<ChainState> {
  const { db } = follower.context
  const sources = await db.query<Source>({
    text: 'select kind, address from countersign.chain_sources where chain = $1 limit 1001',
    values: [follower.chain.id],
  })
  return db.transaction(async () => {
    const moved = await moveTip(follower, state, to, seen)
    await rememberBlock(follower, to, seen.finalized)
    const targets = [...targetsOf(sources), ...transactionTargetsOf(follower, sources)]
    await planWork(follower, targets, state.tip + 1, to.number)
    return moved
  })
}

async function rememberBlock({ context, chain }: Follower, header: Header, finalized: number): Promise<void> {
  await context.db.query({
    name: 'chain-remember-block',
    text: `with old as (delete from countersign.chain_blocks where chain = $1 and number < $5)
           insert into countersign.chain_blocks values ($1, $2, $3, to_timestamp($4))`,
    values: [chain.id, header.number, header.hash, header.timestamp, Math.min(finalized, header.number) - remembered],
  })
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
