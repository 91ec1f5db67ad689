import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { getNftContracts } from '../../chain/reads/getNftContracts.ts'
import { getTokenUris } from '../../chain/reads/getTokenUris.ts'

export type NftRow = {
  token: string
  tokenId: string
  kind: 'erc721' | 'erc1155'
  name?: string | null
  symbol?: string | null
  uri: string | null
}

export type NftDetails = { name: string | undefined; symbol: string | undefined; uri: string | undefined }

/** Name and symbol of the contracts and where the metadata lies: as kept, and from the chain what was not kept yet. */
export async function readNftDetails(chain: Chain, rows: readonly NftRow[]): Promise<NftDetails[]> {
  const unknown = [...new Set(rows.filter(({ name }) => name == null).map(({ token }) => token as Hex))]
  const lacking = rows.filter(({ uri }) => uri === null)
  const [contracts, uris] = await Promise.all([
    getNftContracts(chain, unknown),
    getTokenUris(
      chain,
      lacking.map(({ token, tokenId, kind }) => ({ token: token as Hex, tokenId: BigInt(tokenId), kind })),
    ),
  ])
  const byToken = new Map(contracts.map((contract) => [contract.address as string, contract]))
  const byRow = new Map(lacking.map((row, place) => [row, uris[place]]))
  return rows.map((row) => ({
    name: row.name ?? byToken.get(row.token)?.name,
    symbol: row.symbol ?? byToken.get(row.token)?.symbol,
    uri: row.uri ?? byRow.get(row),
  }))
}
