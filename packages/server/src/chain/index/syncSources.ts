import { sql } from '../../db/sql.ts'
import { type ChainState, type Follower, getTip, indexProgress, listOpenBlocks, moveTip } from './chainState.ts'
import { planWork, type Source, targetsOf, transactionTargetsOf } from './planWork.ts'
import { readBlockTransfers } from './readBlocks.ts'
import { readTransactions, writeTransactions } from './transactions.ts'
import { writeTransfers } from './writeTransfers.ts'

const mostAtOnce = 10_000

/**
 * Indexes newly wanted sources, and drops those no longer wanted (their rows stay). Returns true if there may be more.
 */
export async function syncSources(follower: Follower, state: ChainState): Promise<boolean> {
  await letGo(follower)
  const added = await listNew(follower)
  if (added.length > 0) await addSources(follower, state, added)
  if (added.length >= mostAtOnce) return true
  const { db, clock } = follower.context
  await db.query(sql`update countersign.chain_state set planned = ${clock.now()} where chain = ${follower.chain.id}`)
  return false
}

function configured({ settings }: Follower): Source[] {
  const contracts = settings.mode === 'contracts' ? settings.contracts : []
  return [
    ...(settings.mode === 'all' ? [{ kind: 'all', address: '' } as const] : []),
    ...contracts.map((address): Source => ({ kind: 'contract', address })),
    ...(settings.mode === 'off' ? [] : settings.addresses).map((address): Source => ({ kind: 'address', address })),
  ]
}

/** A contract account is its user's own on its own chain alone. */
const linkedTo = ({ chain, settings }: Follower) => sql`
  select address from countersign.wallets
  where namespace = 'eip155' and not provisional and (chain_id is null or chain_id = ${String(chain.id)})
    and ${settings.mode !== 'off'}::boolean
  union
  select address from countersign.chain_watched
  where chain = ${chain.id} and ${settings.mode !== 'off'}::boolean`

/** SQL: sources as the rows of `given`. */
const rowsOf = (sources: readonly Source[]) => sql`unnest(
  ${sources.map(({ kind }) => kind)}::text[],
  ${sources.map(({ address }) => address)}::text[]) as given (kind, address)`

async function listNew(follower: Follower): Promise<Source[]> {
  const wanted = configured(follower)
  return follower.context.db.query<Source>(sql`
    select kind, address from (
      select * from ${rowsOf(wanted)}
      union
      select 'address', address from (${linkedTo(follower)}) wallets
    ) wanted
    where not exists (
      select from countersign.chain_sources s
      where s.chain = ${follower.chain.id} and s.kind = wanted.kind and s.address = wanted.address
    )
    limit ${mostAtOnce}`)
}

async function letGo(follower: Follower): Promise<void> {
  const wanted = configured(follower)
  await follower.context.db.query(sql`
    delete from countersign.chain_sources s
    where chain = ${follower.chain.id}
      and not exists (select from ${rowsOf(wanted)} where given.kind = s.kind and given.address = s.address)
      and not (kind = 'address' and exists (select from (${linkedTo(follower)}) w where w.address = s.address))`)
  follower.context.db.reportChange(indexProgress)
}

/** Plans sources: finalized blocks are left to any process; later ones are read by the one that would undo them. */
async function addSources(follower: Follower, state: ChainState, added: readonly Source[]): Promise<void> {
  const { context, chain, settings, className } = follower
  const { db, clock } = context
  const start = settings.startBlock ?? 0
  const below = Math.min(state.tip, state.finalized)
  const open = await listOpenBlocks(follower, state, start)
  const read = await readBlockTransfers(
    chain,
    open.map(({ hash }) => ({ hash, isEmpty: false, logsBloom: '' })),
  )
  const people = new Set(added.flatMap(({ kind, address }) => (kind === 'address' ? [address] : [])))
  const sent = settings.transactions && people.size > 0 ? await readTransactions(chain, open, () => people) : undefined
  const names = new Set(added.map(({ kind, address }) => `${kind} ${address}`))
  const isWanted = ({ token, from, to }: { token: string; from: string; to: string }) =>
    names.has('all ') || names.has(`contract ${token}`) || names.has(`address ${from}`) || names.has(`address ${to}`)
  const times = new Map(open.map(({ number, time }) => [number, time.getTime() / 1000]))
  // Of the whole chain nothing is lacking that an address could add.
  const covered = settings.mode === 'all' && !names.has('all ')
  await db.transaction(async () => {
    await db.query(sql`select set_config('countersign.quiet', 'on', true)`)
    const tip = await getTip(follower)
    await moveTip(follower, state, tip, state)
    await db.query(sql`
      insert into countersign.chain_sources (chain, kind, address, start, added)
      select ${chain.id}, kind, address, ${start}, ${clock.now()}
      from ${rowsOf(added)}
      on conflict do nothing`)
    await planWork(follower, transactionTargetsOf(follower, added), start, below)
    await writeTransactions({ db, chain: chain.id }, sent?.transactions ?? [])
    if (covered || className === undefined) return
    await planWork(follower, targetsOf(added), start, below)
    await writeTransfers({ db, className, chain: chain.id }, read.flat().filter(isWanted), times)
  })
}

/** Returns the addresses that are indexed on their own. */
export async function followedOf({ context, chain }: Follower, addresses: Set<string>): Promise<ReadonlySet<string>> {
  if (addresses.size === 0) return new Set()
  const rows = await context.db.query<{ address: string }>(sql.named('chain-followed')`
    select address from countersign.chain_sources
    where chain = ${chain.id} and kind = 'address' and address = any(${[...addresses]})`)
  return new Set(rows.map(({ address }) => address))
}
