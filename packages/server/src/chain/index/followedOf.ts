import type { Follower } from './Follower.ts'

/** Those of the addresses that are followed as such. */
export async function followedOf({ context, chain }: Follower, addresses: Set<string>): Promise<ReadonlySet<string>> {
  if (addresses.size === 0) return new Set()
  const rows = await context.db.query<{ address: string }>({
    name: 'chain-followed',
    text: `select address from countersign.chain_sources where chain = $1 and kind = 'address' and address = any($2)`,
    values: [chain.id, [...addresses]],
  })
  return new Set(rows.map(({ address }) => address))
}
