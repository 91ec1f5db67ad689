import { CountersignError, type WireChanges } from '@countersign/protocol'
import { linkedOn } from '../../classes/olderClasses.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { updateObject } from '../../objects/updateObject.ts'
import { createPoller } from '../../work/createPoller.ts'
import { server } from '../events/writeEvents.ts'
import type { Chain, Chains } from '../nodes/Chain.ts'
import { sentChannel } from './followTransaction.ts'

type SentRow = {
  id: string
  user: string
  chain: number
  hash: string
  class_name: string
  object_id: string
  status: string
  sender: string | null
  nonce: string | null
  block: number | null
  block_hash: string | null
  created: Date
  seen: Date
}

const poll = 2_000

const lookedAtOnce = 50

/** Milliseconds from one look at a transaction to the next: a thirtieth of its age. */
const [shortest, longest] = [1_000, 60_000]

/** Time (ms) after which a transaction unknown to all nodes counts as dropped. */
const dropAfter = 30 * 60_000

/** Whatever a node says, nothing is followed for longer. */
const mostFollowed = 7 * 24 * 3_600_000

/** Follows transactions that users sent until they are final, and writes what becomes of each into its document. */
export async function startSent(context: Context, chains: Chains): Promise<{ stop(): Promise<void> }> {
  const { config, db, log } = context
  if (!config.indexer.enabled) return { stop: async () => {} }
  const loop = createPoller({ log, name: 'sent transactions', turn, poll })
  const unlisten = await db.listen(sentChannel, loop.wake, loop.wake)

  async function turn(): Promise<void> {
    const now = context.clock.now()
    await db.query(sql`
      delete from countersign.sent_transactions
      where ended and due < ${new Date(now.getTime() - mostFollowed)}`)
    // The next look is written down first: of several servers one takes it, and what fails is tried again.
    const rows = await db.query<SentRow>(sql`
      update countersign.sent_transactions set due = ${now}::timestamptz + least(
        greatest((${now}::timestamptz - created) / 30, ${shortest}::integer * interval '1 millisecond'),
        ${longest}::integer * interval '1 millisecond')
      where id in (
        select id from countersign.sent_transactions
        where due <= ${now} and not ended
        order by due
        limit ${lookedAtOnce}
        for update skip locked
      )
      returning id::text, "user", chain, hash, class_name, object_id, status, sender, nonce::text,
        block, block_hash, created, seen`)
    await Promise.all(
      rows.map(async (row) => {
        const chain = chains.find(row.chain)
        if (!chain) return
        await look(context, chain, row).catch((err) => {
          log.warn({ err, chain: row.chain, hash: row.hash }, 'a sent transaction could not be looked up')
        })
      }),
    )
    if (rows.length === lookedAtOnce) loop.wake()
    else if (rows.length > 0) loop.wakeIn(shortest)
  }

  return {
    async stop() {
      await unlisten()
      await loop.stop()
    },
  }
}

type Rpc = { [name: string]: string | null | undefined } | null

/** Current state of a transaction; `undefined` if nothing has changed. */
type Finding = { status: string; ended: boolean; fields: WireChanges; sent?: Rpc; block?: number; blockHash?: string }

async function look(context: Context, chain: Chain, row: SentRow): Promise<void> {
  const [sent, receipt] = await ask(chain, [
    ['eth_getTransactionByHash', row.hash],
    ['eth_getTransactionReceipt', row.hash],
  ])
  const now = context.clock.now()
  const finding = receipt ? await readReceipt(chain, receipt) : await readAbsence(context, chain, row, sent ?? null)
  if (!finding) return
  const known = sent ?? receipt
  const isNews = row.sender === null && known
  const from = known?.from?.toLowerCase() ?? row.sender
  const about: WireChanges = isNews
    ? { ...describe(sent ?? null), isOwn: await isOwn(context, chain.id, row.user, from) }
    : {}
  const isChanged =
    isNews || finding.ended || finding.status !== row.status || (finding.blockHash ?? null) !== row.block_hash
  await context.db.transaction(async () => {
    const [kept] = await context.db.query(sql`
      update countersign.sent_transactions set
        status = ${finding.status}, ended = ${finding.ended}, sender = ${from},
        nonce = coalesce(${decimal(sent?.nonce)}::numeric, nonce),
        block = ${finding.block ?? null}, block_hash = ${finding.blockHash ?? null}, seen = ${known ? now : row.seen}
      where id = ${row.id} and not ended
      returning 1`)
    if (!kept || !isChanged) return
    const changes = { ...about, ...finding.fields, status: finding.status, confirmed: finding.ended } as WireChanges
    await updateObject(context, server, row.class_name, row.object_id, changes).catch(async (error) => {
      if (!(error instanceof CountersignError) || error.code !== 101) throw error
      // Deleted by the operator: there is nothing left to write it into.
      await context.db.query(sql`delete from countersign.sent_transactions where id = ${row.id}`)
    })
  })
}

async function readReceipt(chain: Chain, receipt: NonNullable<Rpc>): Promise<Finding> {
  const block = Number(receipt.blockNumber)
  const blockHash = receipt.blockHash?.toLowerCase() ?? ''
  const ended = block <= (await chain.finalized())
  const succeeded = receipt.status !== '0x0'
  const gasUsed = BigInt(receipt.gasUsed ?? 0)
  return {
    status: succeeded ? (ended ? 'final' : 'mined') : 'reverted',
    ended,
    block,
    blockHash,
    fields: {
      block,
      blockHash,
      gasUsed: gasUsed.toString(),
      fee: (gasUsed * BigInt(receipt.effectiveGasPrice ?? 0)).toString(),
      ...(receipt.contractAddress && { contract: receipt.contractAddress.toLowerCase() }),
    },
  }
}

const gone = { __op: 'Delete' } as const

/** It is in no block: not yet, no longer, or never. */
async function readAbsence(context: Context, chain: Chain, row: SentRow, sent: Rpc): Promise<Finding | undefined> {
  // A node that lags knows the block and not what is in it.
  if (row.block !== null) {
    const [block] = await ask(chain, [['eth_getBlockByHash', row.block_hash, false]])
    const at = block && (await chain.block(Number(block.number)).catch(() => undefined))
    if (at && at.hash === row.block_hash) return undefined
  }
  const removed: WireChanges =
    row.block === null ? {} : { block: gone, blockHash: gone, gasUsed: gone, fee: gone, contract: gone }
  const pending: Finding = { status: 'pending', ended: false, fields: removed }
  const now = context.clock.now().getTime()
  if (now - row.created.getTime() > mostFollowed) return { ...pending, status: 'dropped', ended: true }
  if (sent) return pending
  if (row.sender !== null && row.nonce !== null) {
    const final = `0x${(await chain.finalized()).toString(16)}`
    const [latest, settled] = await ask<string>(chain, [
      ['eth_getTransactionCount', row.sender, 'latest'],
      ['eth_getTransactionCount', row.sender, final],
    ])
    const nonce = BigInt(row.nonce)
    // Another transaction of the account took its place.
    if (BigInt(latest ?? 0) > nonce) return { ...pending, status: 'replaced', ended: BigInt(settled ?? 0) > nonce }
  }
  if (now - row.seen.getTime() > dropAfter) return { ...pending, status: 'dropped', ended: true }
  return pending
}

async function ask<Answer = Exclude<Rpc, null>>(
  chain: Chain,
  calls: [method: string, ...params: unknown[]][],
): Promise<(Answer | null)[]> {
  const outcomes = await chain.batch(
    calls.map(([method, ...params]) => ({ method, params })),
    { keep: 'none' },
  )
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result as Answer | null
  })
}

function decimal(value: string | null | undefined): string | null {
  return value ? BigInt(value).toString() : null
}

function describe(sent: Rpc): WireChanges {
  if (!sent) return {}
  return {
    from: sent.from?.toLowerCase() ?? null,
    ...(sent.to && { to: sent.to.toLowerCase() }),
    value: decimal(sent.value) ?? '0',
    nonce: Number(sent.nonce),
  }
}

/** Anyone may name any hash: whether the user sent it is said beside it. */
async function isOwn({ db }: Context, chain: number, user: string, address: string | null): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from countersign.wallets where ${linkedOn(chain)} and "user" = ${user} and address = ${address}`,
  )
  return rows.length > 0
}
