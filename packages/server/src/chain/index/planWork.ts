import type { Follower } from './Follower.ts'
import type { Work } from './Work.ts'

type Target = Pick<Work, 'kind' | 'addresses'>

/** Addresses in one question; nodes take no more than so many. */
const mostAddresses = 50
/** From here on, reading every transfer and leaving out what is not wanted is less work than asking for each. */
const manyAddresses = 1_000
const smallestStretch = 1_000
const mostStretches = 32

export type Source = { kind: 'all' | 'contract' | 'address'; address: string }

/** What has to be asked for so that all these sources are covered. */
export function targetsOf(sources: readonly Source[]): Target[] {
  if (sources.some(({ kind }) => kind === 'all')) return [{ kind: 'all', addresses: [] }]
  if (sources.length >= manyAddresses) return [{ kind: 'watched', addresses: [] }]
  return (['contract', 'address'] as const).flatMap((kind) => {
    const addresses = sources.filter((source) => source.kind === kind).map(({ address }) => address)
    return groupsOf(addresses).map((group): Target => ({ kind, addresses: group }))
  })
}

/** Whole blocks are read for transactions, so that all addresses are looked for at once. */
export function transactionTargetsOf({ settings }: Follower, sources: readonly Source[]): Target[] {
  const addresses = sources.filter(({ kind }) => kind === 'address').map(({ address }) => address)
  if (!settings.transactions || addresses.length === 0) return []
  return [{ kind: 'transactions', addresses: addresses.length < manyAddresses ? addresses : [] }]
}

/** Lays down stretches from `first` to `last` for each target, in the open transaction. Any process may take one. */
export async function planWork(
  { context, chain }: Follower,
  targets: readonly Target[],
  first: number,
  last: number,
): Promise<void> {
  if (last < first) return
  const size = Math.max(smallestStretch, Math.ceil((last - first + 1) / mostStretches))
  for (const { kind, addresses } of targets) {
    await context.db.query({
      text: `insert into countersign.chain_work (chain, kind, addresses, first, next, last)
             select $1, $2, $3, start, start, least(start + $6::bigint - 1, $5)
             from generate_series($4::bigint, $5::bigint, $6::bigint) as start`,
      values: [chain.id, kind, addresses, first, last, size],
    })
  }
}

function groupsOf(addresses: string[]): string[][] {
  const groups: string[][] = []
  for (let at = 0; at < addresses.length; at += mostAddresses) groups.push(addresses.slice(at, at + mostAddresses))
  return groups
}
