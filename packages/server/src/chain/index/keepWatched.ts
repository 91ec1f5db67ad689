import type { Follower } from './Follower.ts'
import type { Transfer } from './Transfer.ts'

/** Those transfers that something followed has to do with. */
export async function keepWatched({ context, chain }: Follower, transfers: Transfer[]): Promise<Transfer[]> {
  if (transfers.length === 0) return transfers
  const named = new Set<string>([''])
  for (const { token, from, to } of transfers) named.add(token).add(from).add(to)
  const sources = await context.db.query<{ kind: string; address: string; start: number }>({
    name: 'chain-watched',
    text: 'select kind, address, start from countersign.chain_sources where chain = $1 and address = any($2)',
    values: [chain.id, [...named]],
  })
  const starts = new Map(sources.map(({ kind, address, start }) => [`${kind} ${address}`, start]))
  const isWanted = (source: string, block: number) => (starts.get(source) ?? Number.POSITIVE_INFINITY) <= block
  return transfers.filter(
    ({ token, from, to, block }) =>
      isWanted('all ', block) ||
      isWanted(`contract ${token}`, block) ||
      isWanted(`address ${from}`, block) ||
      isWanted(`address ${to}`, block),
  )
}
