import type { Context } from '../../../context/Context.ts'

export type TokenRow = { token: string; name: string | null; symbol: string; decimals: number }

/** Tokens that were met with and have one of the symbols, in any case. Symbols belong to nobody: there may be many. */
export async function listTokensBySymbol(
  { db }: Context,
  chain: number,
  symbols: readonly string[],
  limit: number,
): Promise<TokenRow[]> {
  return db.query<TokenRow>({
    name: 'chain-tokens-by-symbol',
    text: `select token, name, symbol, decimals from countersign.chain_tokens
           where chain = $1 and upper(symbol) collate "C" = any($2) and decimals is not null
           order by upper(symbol) collate "C", token limit $3`,
    values: [chain, symbols.map((symbol) => symbol.toUpperCase()), limit],
  })
}
