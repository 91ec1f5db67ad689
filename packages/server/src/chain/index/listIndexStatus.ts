import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { isFollowedNow } from './chainState.ts'

export type IndexStatus = {
  chain: number
  /** The newest block that was read, the newest there is, and the newest that cannot be undone. */
  block: number
  blockHash: string
  blockTime: Date
  head: number
  finalized: number
  status: 'SYNCED' | 'SYNCING'
  /** Share of the older blocks that has been read, from 0 to 1. */
  progress: number
  blocksLeft: number
  blocksPerSecond: number
  transfersPerSecond: number
  /** An estimate from the last minutes; absent where none can be made. */
  secondsLeft: number | undefined
  contracts: number
  addresses: number
  /** Reason why the chain is not indexed, or blocks are not read. */
  error: string | undefined
  /** True if any server indexes the chain now. */
  running: boolean
  updated: Date
}

type Row = Omit<
  IndexStatus,
  'status' | 'progress' | 'secondsLeft' | 'error' | 'blocksPerSecond' | 'transfersPerSecond'
> & {
  blocksAll: number
  planned: Date | null
  current: boolean
  error: string | null
  work_error: string | null
  blocks_read: number
  transfers_read: number
  seconds: number
}

/** The rate is that of so many milliseconds. */
const looked = 120_000

/** How far each chain has been read, for operators. */
export async function listIndexStatus(context: Context): Promise<IndexStatus[]> {
  const { db, clock } = context
  const now = clock.now()
  const rows = await db.query<Row>(sql`
    select s.chain, s.tip as block, s.tip_hash as "blockHash", s.tip_time as "blockTime", s.head, s.finalized,
      s.error, s.updated, s.planned, coalesce(s.lease_until > ${now}, false) as running,
      ${isFollowedNow(context, sql`s`)} as current,
      w.left as "blocksLeft", w.all as "blocksAll", w.error as work_error, c.contracts, c.addresses,
      p.blocks as blocks_read, p.transfers as transfers_read, p.seconds
    from countersign.chain_state s, lateral (
      select coalesce(sum(last - next + 1) filter (where next <= last), 0)::float8 as left,
        coalesce(sum(last - first + 1), 0)::float8 as all,
        min(error) filter (where next <= last) as error
      from countersign.chain_work w
      where w.chain = s.chain
    ) w, lateral (
      select count(*) filter (where kind = 'contract') as contracts,
        count(*) filter (where kind = 'address') as addresses
      from countersign.chain_sources c
      where c.chain = s.chain
    ) c, lateral (
      select coalesce(sum(blocks), 0)::float8 as blocks, coalesce(sum(transfers), 0)::float8 as transfers,
        greatest(extract(epoch from ${now}::timestamptz - min(slot)), 10)::float8 as seconds
      from countersign.chain_progress p
      where p.chain = s.chain and p.slot > ${new Date(now.getTime() - looked)}
    ) p
    order by s.chain`)
  return rows.map(
    ({ blocksAll, work_error, blocks_read, transfers_read, seconds, error, planned, current, ...row }) => {
      const rate = blocks_read > 0 ? blocks_read / seconds : 0
      return {
        ...row,
        status: current && planned && row.blocksLeft === 0 && row.block >= row.head ? 'SYNCED' : 'SYNCING',
        progress: blocksAll === 0 ? (planned ? 1 : 0) : 1 - row.blocksLeft / blocksAll,
        blocksPerSecond: rate,
        transfersPerSecond: blocks_read > 0 ? transfers_read / seconds : 0,
        secondsLeft: row.blocksLeft === 0 && planned ? 0 : rate > 0 ? Math.ceil(row.blocksLeft / rate) : undefined,
        error: error ?? work_error ?? undefined,
      }
    },
  )
}
