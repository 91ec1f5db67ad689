import { linkedOn } from '../../../classes/olderClasses.ts'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import { sql } from '../../../db/sql.ts'
import { indexProgress } from '../chainState.ts'

/** How long an entry may be believed where the notifications are silently cut. */
const longestTrust = 5_000

const mostEntries = 20_000

/** Coverage of an address or contract by the index. */
export type Coverage = {
  /** True if it is indexed at all, on its own or with the whole chain. */
  followed: boolean
  /** SYNCING while older blocks are still read, so that results may be incomplete. */
  status: 'SYNCED' | 'SYNCING'
  /** The first block that is read for it. */
  start: number
  block: { number: number; hash: string; timestamp: number }
}

type Kind = 'address' | 'contract' | 'transactions'

declare module '../../../context/Context.ts' {
  interface Services {
    coverage?: CoverageCache
  }
}

/** Coverage with the callers that it is for: where a user's wallet is the only reason to follow an address, its users. */
type KnownCoverage = Coverage & { isShared: boolean; users: string[] }

/**
 * Coverage of an address; absent if the chain is not indexed. An address indexed because a user linked it counts only
 * for that user, application code and operators: it would reveal users' addresses to others.
 */
export async function findCoverage(
  context: Context,
  caller: Caller,
  chain: number,
  address: string,
  kind: Kind,
): Promise<Coverage | undefined> {
  context.services.coverage ??= createCoverageCache(context)
  const known = await context.services.coverage.get(
    `${chain} ${kind} ${address}`,
    () => readCoverage(context, chain, address, kind),
    (coverage) => coverage?.status === 'SYNCED',
  )
  if (!known) return undefined
  const { isShared, users, ...coverage } = known
  const isTrusted = caller.isMaster || caller.isReadOnly || caller.isCode
  if (isShared || isTrusted || (caller.session && users.includes(caller.session.userId))) return coverage
  return { followed: false, status: 'SYNCING', start: 0, block: coverage.block }
}

async function readCoverage(
  { db, config }: Context,
  chain: number,
  address: string,
  kind: Kind,
): Promise<KnownCoverage | undefined> {
  const source = kind === 'transactions' ? 'address' : kind
  const named = config.chains.find(({ id }) => id === chain)?.index?.addresses ?? []
  const isNamed = sql`${kind === 'contract' || named.some((each) => each.toLowerCase() === address)}::boolean`
  const isOfTransfers = sql`${kind !== 'transactions'}::boolean`
  const [row] = await db.query<{
    start: number | null
    open: boolean
    tip: number
    tip_hash: string
    time: Date
    shared: boolean
    users: string[]
  }>(sql.named('chain-coverage')`
    select tip, tip_hash, tip_time as time,
      (
        select min(start) from countersign.chain_sources s
        where s.chain = ${chain} and ((s.kind = ${source} and s.address = ${address})
          or (s.kind = 'all' and s.address = '' and ${isOfTransfers}))
      ) as start,
      exists (
        select from countersign.chain_work w
        where w.chain = ${chain} and w.next <= w.last and ((w.kind in ('all', 'watched') and ${isOfTransfers})
          or (w.kind = ${kind} and (${address} = any(w.addresses) or w.addresses = '{}')))
      ) as open,
      ${isNamed}
        or exists (select from countersign.chain_watched w where w.chain = ${chain} and w.address = ${address})
        or exists (
          select from countersign.chain_sources s
          where s.chain = ${chain} and s.kind = 'all' and s.address = '' and ${isOfTransfers}
        ) as shared,
      array(select "user" from countersign.wallets where ${linkedOn(chain)} and address = ${address}) as users
    from countersign.chain_state
    where chain = ${chain}`)
  if (!row) return undefined
  return {
    followed: row.start !== null,
    status: row.start !== null && !row.open ? 'SYNCED' : 'SYNCING',
    start: row.start ?? 0,
    block: { number: row.tip, hash: row.tip_hash, timestamp: row.time.getTime() / 1000 },
    isShared: row.shared,
    users: row.users,
  }
}

type Entry = { value: KnownCoverage | undefined; since: number }

type CoverageCache = {
  /** Reads through `load` on a miss, and caches a result that `holds` until the index moves. */
  get(
    key: string,
    load: () => Promise<KnownCoverage | undefined>,
    holds: (value: KnownCoverage | undefined) => boolean,
  ): Promise<KnownCoverage | undefined>
}

/** Caches coverage until the index moves. Serves nothing while the database cannot notify about that. */
function createCoverageCache({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): CoverageCache {
  const entries = new Map<string, Entry>()
  /** Number of invalidations: a result that was in flight during one may be stale and is not cached. */
  let forgotten = 0
  let isListening = false

  const forget = () => {
    forgotten++
    entries.clear()
  }

  const listen = async () => {
    await db.listen('countersign_chain_moved', forget, forget)
    // Our own writes count immediately, before the database notifies.
    db.watchChanges((name) => name === indexProgress && forget())
    forget()
    isListening = true
  }
  if (!db.inside()) listen().catch((error) => log.debug({ err: error }, 'index progress is queried on every request'))

  return {
    async get(key, load, holds) {
      // A transaction may roll back, and its own writes are not published yet.
      if (!isListening || db.inside() || !db.listening()) return load()
      const now = clock.now().getTime()
      const kept = entries.get(key)
      if (kept && now - kept.since < longestTrust) return kept.value
      const since = forgotten
      const value = await load()
      if (since !== forgotten || !holds(value)) return value
      if (entries.size >= mostEntries) entries.clear()
      entries.set(key, { value, since: now })
      return value
    },
  }
}
