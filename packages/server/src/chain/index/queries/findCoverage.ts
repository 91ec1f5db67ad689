import type { Context } from '../../../context/Context.ts'
import { createCoverageMemory } from './createCoverageMemory.ts'

/** What the index knows of an address or contract. */
export type Coverage = {
  /** Whether it is followed at all, by itself or with the whole chain. */
  followed: boolean
  /** SYNCING while older blocks are still read, so that answers may lack something. */
  status: 'SYNCED' | 'SYNCING'
  /** The first block that is read for it. */
  start: number
  block: { number: number; hash: string; timestamp: number }
}

type Kind = 'address' | 'contract' | 'transactions'

const memories = new WeakMap<Context, ReturnType<typeof createCoverageMemory<Coverage | undefined>>>()

/** Absent where the chain is not followed. */
export function findCoverage(
  context: Context,
  chain: number,
  address: string,
  kind: Kind,
): Promise<Coverage | undefined> {
  const memory = memories.get(context) ?? createCoverageMemory(context)
  memories.set(context, memory)
  return memory.get(
    `${chain} ${kind} ${address}`,
    () => readCoverage(context, chain, address, kind),
    (coverage) => coverage?.status === 'SYNCED',
  )
}

async function readCoverage(
  { db }: Context,
  chain: number,
  address: string,
  kind: Kind,
): Promise<Coverage | undefined> {
  const [row] = await db.query<{ start: number | null; open: boolean; tip: number; tip_hash: string; time: Date }>({
    name: 'chain-coverage',
    text: `select tip, tip_hash, tip_time as time,
             (select min(start) from countersign.chain_sources s where s.chain = $1
               and ((s.kind = $4 and s.address = $2) or (s.kind = 'all' and s.address = '' and $3 <> 'transactions'))) as start,
             exists (select from countersign.chain_work w where w.chain = $1 and w.next <= w.last
               and ((w.kind in ('all', 'watched') and $3 <> 'transactions')
                 or (w.kind = $3 and ($2 = any(w.addresses) or w.addresses = '{}')))) as open
           from countersign.chain_state where chain = $1`,
    values: [chain, address, kind, kind === 'transactions' ? 'address' : kind],
  })
  if (!row) return undefined
  return {
    followed: row.start !== null,
    status: row.start !== null && !row.open ? 'SYNCED' : 'SYNCING',
    start: row.start ?? 0,
    block: { number: row.tip, hash: row.tip_hash, timestamp: row.time.getTime() / 1000 },
  }
}
