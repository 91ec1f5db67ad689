import { listNftMetadata } from '../../chain/nft/listNftMetadata.ts'
import { type NormalizedMetadata, normalizeMetadata } from '../../chain/nft/normalizeMetadata.ts'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { getNftContracts } from '../../chain/reads/getNftContracts.ts'
import { getTokenUris } from '../../chain/reads/getTokenUris.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { askerOf } from './askerOf.ts'
import { unlessDown } from './unlessDown.ts'

export type NftRow = { token: string; tokenId: string; kind: 'erc721' | 'erc1155' }

export type NftDetails = {
  /** Contract and metadata have both been asked. */
  isWhole: boolean
  name: string | undefined
  symbol: string | undefined
  uri: string | undefined
  uriRead: Date | undefined
  metadata: unknown
  metadataRead: Date | undefined
  normalized: NormalizedMetadata | undefined
}

/** What contracts and metadata say of collectibles. Metadata that is not known yet is fetched for the next time. */
export async function readNftDetails(
  context: Context,
  caller: Caller,
  chain: Chain,
  rows: readonly NftRow[],
): Promise<NftDetails[]> {
  const nfts = rows.map(({ token, tokenId, kind }) => ({ token: token as Hex, tokenId: BigInt(tokenId), kind }))
  const [contracts = [], records] = await Promise.all([
    unlessDown(getNftContracts(chain, [...new Set(nfts.map(({ token }) => token))])),
    listNftMetadata(context, chain, nfts, askerOf(caller)),
  ])
  const lacking = nfts.filter((_, place) => records[place]?.uri === undefined)
  const found = await unlessDown(getTokenUris(chain, lacking))
  const uris = new Map(lacking.map((nft, place) => [nft, found?.[place]]))
  const byToken = new Map(contracts.map((contract) => [contract.address, contract]))
  return nfts.map((nft, place) => {
    const { uri, uriRead, metadata, metadataRead } = records[place] ?? {}
    return {
      isWhole: byToken.has(nft.token) && metadataRead !== undefined,
      name: byToken.get(nft.token)?.name,
      symbol: byToken.get(nft.token)?.symbol,
      uri: uri ?? uris.get(nft),
      uriRead,
      metadata,
      metadataRead,
      normalized: metadata && normalizeMetadata(context.config.nft, metadata),
    }
  })
}

/** Whether only a new block can change them. */
export const areSettled = (details: readonly NftDetails[]) => details.every(({ isWhole }) => isWhole)
