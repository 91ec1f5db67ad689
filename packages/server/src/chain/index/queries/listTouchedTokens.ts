import type { Context } from '../../../context/Context.ts'

/** The ERC-20 tokens that an address ever had to do with. What it holds of each, the contract itself tells. */
export async function listTouchedTokens(
  { db }: Context,
  chain: number,
  owner: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ token: string }>({
    name: 'chain-touched',
    text: 'select token from countersign.chain_touched where chain = $1 and owner = $2 order by token limit $3',
    values: [chain, owner, limit],
  })
  return rows.map(({ token }) => token)
}
