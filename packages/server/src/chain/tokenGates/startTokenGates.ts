import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { createPoller } from '../../work/createPoller.ts'
import type { Chains } from '../nodes/Chain.ts'
import { type Wallet, walletsOfChain } from '../wallets/provenWallets.ts'
import { checkAge, checkDueGates, chooseBlock, readHoldings, refreshMembers, writeHoldings } from './checkTokenGates.ts'
import { readTokenGate, type TokenGateRow, tokenGateColumns } from './TokenGate.ts'

const mostAtOnce = 500

/** Milliseconds after which users are looked at again where a node, or the server that took them, failed. */
const retryAfter = 5_000

const gatesChannel = 'countersign_gates'

/** Longest pause (ms) between two checks for due gates. */
const longestPoll = 5_000

/** Gives and takes the roles that go with tokens: when a wallet is linked, when a token moves, and from time to time. */
export async function startGates(context: Context, chains: Chains): Promise<{ stop(): Promise<void> }> {
  const { config, db, log } = context
  if (!config.tokenGates.enabled) return { stop: async () => {} }
  const poll = Math.min(longestPoll, config.tokenGates.interval * 1000)
  const loop = createPoller({ log, name: 'gates', turn, poll })
  const unlisten = await db.listen(gatesChannel, loop.wake, loop.wake)

  async function turn(): Promise<void> {
    const [gate] = await db.query(sql`select 1 from countersign.gates limit 1`)
    if (!gate) return
    await queueAffectedUsers(context)
    const queued = await checkQueue(context, chains)
    const due = await checkDueGates(context, chains)
    // After a longer stop all is old: it is looked at before it is judged by its age.
    if (queued || due) loop.wakeIn(0)
    else await revokeStaleRoles(context)
  }

  return {
    async stop() {
      await unlisten()
      await loop.stop()
    },
  }
}

/** Revokes roles whose last check is too old: while no node responds, nobody may keep a role forever. */
async function revokeStaleRoles(context: Context): Promise<void> {
  const { db, clock, config, log } = context
  const before = new Date(clock.now().getTime() - config.tokenGates.staleAfter * 1000)
  const [stale] = await db.query(sql`select 1 from countersign.gate_holders where held and seen < ${before} limit 1`)
  if (!stale) return
  const changed = await db.transaction(async () => {
    await db.query(sql`update countersign.gate_holders set held = false where held and seen < ${before}`)
    return refreshMembers(context)
  })
  log.warn({ changed }, 'token gates were not checked for too long; their roles were revoked')
}

type Queued = { user: string; version: string }

/** Checks the queued users' wallets for every gate. Returns true if any were queued. */
async function checkQueue(context: Context, chains: Chains): Promise<boolean> {
  const { db, clock } = context
  const now = clock.now()
  const queued = await db.query<Queued>(sql`
    update countersign.gate_queue set due = ${new Date(now.getTime() + retryAfter)}
    where "user" in (
      select "user" from countersign.gate_queue
      where due <= ${now}
      order by due
      limit ${mostAtOnce}
      for update skip locked
    )
    returning "user", version::text as version`)
  if (queued.length === 0) return false
  const users = queued.map(({ user }) => user)
  const gates = (await db.query<TokenGateRow>(sql`select ${tokenGateColumns} from countersign.gates g`)).map(
    readTokenGate,
  )
  let failed = false
  for (const chainId of new Set(gates.map(({ chain }) => chain))) {
    const wallets = await db.query<Wallet>(sql`${walletsOfChain(chainId)} and "user" = any(${users})`)
    if (wallets.length === 0) continue
    try {
      const own = gates.filter(({ chain }) => chain === chainId)
      const chain = chains.get(chainId)
      const chosen = await chooseBlock(context, chain)
      // A reading at a newer block would override this one, and the wallets would not be checked again.
      const [newer] = await db.query(sql`
        select from countersign.gate_holders
        where wallet = any(${wallets.map(({ key }) => key)}) and block > ${chosen.number}
        limit 1`)
      const block = newer ? await chain.head({ fresh: true }) : chosen
      checkAge(context, chain, block)
      await writeHoldings(context, await readHoldings(context, chain, own, wallets, block.number), block)
    } catch (error) {
      failed = true
      context.log.warn({ err: error, chain: chainId }, 'checking wallets for token gates failed, retrying later')
    }
  }
  if (failed) return true
  await db.query(sql`
    delete from countersign.gate_queue q
    using unnest(${users}::text[], ${queued.map(({ version }) => version)}::bigint[]) as done ("user", version)
    where q."user" = done."user" and q.version = done.version`)
  return true
}

type Moved = { chain: number; seen: number; isKnown: boolean; tip: number; hash: string }

/**
 * Queues the users of wallets that transfers of gated tokens touched since the last look, from what the indexer keeps.
 * Where blocks were undone, every wallet is looked at.
 */
async function queueAffectedUsers({ db, classes, config }: Context): Promise<void> {
  const { transferClass } = config.indexer
  if (!classes.find(transferClass)) return
  await db.transaction(async () => {
    await db.query(sql`
      insert into countersign.gate_chains (chain, tip, hash)
      select chain, tip, tip_hash
      from countersign.chain_state s
      where exists (select from countersign.gates g where g.chain = s.chain)
        and not exists (select from countersign.gate_chains c where c.chain = s.chain)
      on conflict do nothing`)
    const moved = await db.query<Moved>(sql`
      select c.chain, c.tip as seen, s.tip, s.tip_hash as hash, exists (
        select from countersign.chain_blocks b where b.chain = c.chain and b.number = c.tip and b.hash = c.hash
      ) as "isKnown"
      from countersign.gate_chains c
      join countersign.chain_state s using (chain)
      where c.hash <> s.tip_hash
      for update of c skip locked`)
    for (const { chain, seen, isKnown, tip, hash } of moved) {
      if (!isKnown) {
        await db.query(sql`update countersign.gates set due = '-infinity' where chain = ${chain}`)
        // Readings at a removed block are no newer than this one.
        await db.query(sql`
          update countersign.gate_holders h set block = ${tip}
          from countersign.gates g
          where g."objectId" = h.gate and g.chain = ${chain} and h.block > ${tip}`)
      }
      await db.query(sql`
        insert into countersign.gate_queue as known ("user")
        select distinct w."user"
        from ${sql.table(transferClass)} t
        join countersign.gates g on g.chain = t."chain" and g.token = t."token"
        cross join unnest(array[t."from", t."to"]) as side (address)
        join countersign.wallets w
          on w.key in ('eip155:' || side.address, 'eip155:' || g.chain || ':' || side.address)
        where t."chain" = ${chain} and t."block" > ${Math.min(seen, tip)}
        on conflict ("user") do update set version = default, due = '-infinity'`)
      await db.query(sql`update countersign.gate_chains set tip = ${tip}, hash = ${hash} where chain = ${chain}`)
    }
  })
}
