import { type ChainState, moveTip } from './chainState.ts'
import type { Follower } from './Follower.ts'
import { planWork, type Source, targetsOf, transactionTargetsOf } from './planWork.ts'
import { readBlockTransfers } from './readBlocks.ts'
import { readTransactions } from './readTransactions.ts'
import { writeTransactions } from './writeTransactions.ts'
import { writeTransfers } from './writeTransfers.ts'

const mostAtOnce = 10_000

/**
 * Follows what is wanted now and was not before, and lets go of what is wanted no longer (what was read of it stays).
 * Answers whether there may be more.
 */
export async function syncSources(follower: Follower, state: ChainState): Promise<boolean> {
  await letGo(follower)
  const added = await listNew(follower)
  if (added.length > 0) await addSources(follower, state, added)
  if (added.length >= mostAtOnce) return true
  const { db, clock } = follower.context
  await db.query({
    text: 'update countersign.chain_state set planned = $2 where chain = $1',
    values: [follower.chain.id, clock.now()],
  })
  return false
}

function configured({ settings }: Follower): Source[] {
  const contracts = settings.mode === 'contracts' ? settings.contracts : []
  return [
    ...(settings.mode === 'all' ? [{ kind: 'all', address: '' } as const] : []),
    ...contracts.map((address): Source => ({ kind: 'contract', address })),
    ...settings.addresses.map((address): Source => ({ kind: 'address', address })),
  ]
}

/** A contract account is its user's own on its own chain alone. */
const linked = `select address from countersign.wallets
  where namespace = 'eip155' and not provisional and (chain_id is null or chain_id = $1::text)`

async function listNew(follower: Follower): Promise<Source[]> {
  const wanted = configured(follower)
  return follower.context.db.query<Source>({
    text: `select kind, address from (
             select * from unnest($2::text[], $3::text[]) as given (kind, address)
             union select 'address', address from (${linked}) wallets
           ) wanted
           where not exists (
             select from countersign.chain_sources s
             where s.chain = $1::bigint and s.kind = wanted.kind and s.address = wanted.address
           ) limit ${mostAtOnce}`,
    values: [String(follower.chain.id), wanted.map(({ kind }) => kind), wanted.map(({ address }) => address)],
  })
}

async function letGo(follower: Follower): Promise<void> {
  const wanted = configured(follower)
  await follower.context.db.query({
    text: `delete from countersign.chain_sources s where chain = $1::bigint
             and not exists (select from unnest($2::text[], $3::text[]) as given (kind, address)
               where given.kind = s.kind and given.address = s.address)
             and not (kind = 'address' and exists (select from (${linked}) w where w.address = s.address))`,
    values: [String(follower.chain.id), wanted.map(({ kind }) => kind), wanted.map(({ address }) => address)],
  })
}

/** Final blocks are left to whoever has time; what may still be undone is read here, by the one that would undo it. */
async function addSources(follower: Follower, state: ChainState, added: readonly Source[]): Promise<void> {
  const { context, chain, settings, className } = follower
  const { db, clock } = context
  const start = settings.startBlock ?? 0
  const below = Math.min(state.tip, state.finalized)
  const open = await db.query<{ number: number; hash: `0x${string}`; time: Date }>({
    text: `select number, hash, time from countersign.chain_blocks
           where chain = $1 and number > $2 and number >= $3 order by number`,
    values: [chain.id, below, start],
  })
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
    await db.query({ text: `select set_config('countersign.quiet', 'on', true)` })
    const tip = await tipOf(follower)
    await moveTip(follower, state, tip, state)
    await db.query({
      text: `insert into countersign.chain_sources (chain, kind, address, start, added)
             select $1, kind, address, $4, $5 from unnest($2::text[], $3::text[]) as given (kind, address)
             on conflict do nothing`,
      values: [chain.id, added.map(({ kind }) => kind), added.map(({ address }) => address), start, clock.now()],
    })
    await planWork(follower, transactionTargetsOf(follower, added), start, below)
    await writeTransactions({ db, chain: chain.id }, sent?.transactions ?? [])
    if (covered) return
    await planWork(follower, targetsOf(added), start, below)
    await writeTransfers({ db, className, chain: chain.id }, read.flat().filter(isWanted), times)
  })
}

async function tipOf({ context, chain }: Follower): Promise<{ number: number; hash: string; timestamp: number }> {
  const [tip] = await context.db.query<{ number: number; hash: string; time: Date }>({
    text: 'select tip as number, tip_hash as hash, tip_time as time from countersign.chain_state where chain = $1',
    values: [chain.id],
  })
  if (!tip) throw new Error('The chain is not followed.')
  return { number: tip.number, hash: tip.hash, timestamp: tip.time.getTime() / 1000 }
}
