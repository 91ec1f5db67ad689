import type { BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { encodeCall, findText, selectors } from './coding.ts'

export type NftId = { token: Hex; tokenId: bigint; kind: 'erc721' | 'erc1155' }

const longestPattern = 10_000

/** Where the metadata of NFTs lies, as their contracts say; `{id}` is filled in as ERC-1155 has it. */
export async function getTokenUris(
  chain: Chain,
  nfts: readonly NftId[],
  block: BlockTag = 'latest',
): Promise<(string | undefined)[]> {
  const results = await chain.multicall(
    nfts.map(({ token, tokenId, kind }) => ({
      to: token,
      data: encodeCall(kind === 'erc721' ? selectors.tokenURI : selectors.uri, tokenId),
    })),
    block,
  )
  return nfts.map(({ tokenId, kind }, place) => {
    const result = results[place]
    const uri = result && findText(result)
    // A long text of nothing but {id} would become one of many millions of letters.
    if (!uri || kind === 'erc721' || uri.length > longestPattern) return uri
    return uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0'))
  })
}
