import type { Context } from '../../context/Context.ts'
import type { TokenMetadata } from '../reads/getTokenMetadata.ts'

/** Keeps what tokens say of themselves, so that they can be found by their symbol. */
export async function noteTokens(
  { db, clock }: Context,
  chain: number,
  tokens: readonly TokenMetadata[],
): Promise<void> {
  const said = tokens.filter(({ symbol, decimals }) => symbol !== undefined && decimals !== undefined)
  if (said.length === 0) return
  await db.query({
    text: `insert into countersign.chain_tokens (chain, token, kind, name, symbol, decimals, read)
           select $1, token, 'erc20', name, symbol, decimals, $6
           from unnest($2::text[], $3::text[], $4::text[], $5::integer[]) as given (token, name, symbol, decimals)
           on conflict (chain, token) do update
             set name = excluded.name, symbol = excluded.symbol, decimals = excluded.decimals, read = excluded.read`,
    values: [
      chain,
      said.map(({ address }) => address),
      said.map(({ name }) => name ?? null),
      said.map(({ symbol }) => symbol),
      said.map(({ decimals }) => decimals),
      clock.now(),
    ],
  })
}
