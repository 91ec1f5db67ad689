import { CountersignError } from '@countersign/protocol'
import { listNftMetadata } from '../../chain/nft/nftMetadata.ts'
import { normalizeMetadata } from '../../chain/nft/readMetadata.ts'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { encodeCall, findAddress, selectors } from '../../chain/reads/abi.ts'
import { getNftContracts, getTokenUris } from '../../chain/reads/tokens.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { ignoreNodeFailure } from './answers.ts'
import { askerOf } from './askerOf.ts'
import type { NftDetails, NftRow } from './NftDetails.ts'

export type Nft = {
  token: Hex
  tokenId: string
  kind: 'erc721' | 'erc1155'
  /** Of ERC-721 alone: there a token has one owner. */
  owner: Hex | undefined
  details: NftDetails
}

/** An NFT, read from its contract. */
export async function getNft(
  context: Context,
  caller: Caller,
  chain: Chain,
  { token, tokenId }: { token: Hex; tokenId: string },
): Promise<Nft> {
  const [contract] = await getNftContracts(chain, [token])
  const kind = contract?.kind
  if (!kind) throw new CountersignError('ObjectNotFound', `There is no NFT contract at ${token}.`)
  const [details] = await readNftDetails(context, caller, chain, [{ token, tokenId, kind }])
  if (!details) throw new Error('the lookup of one NFT returned none')
  if (kind === 'erc1155') return { token, tokenId, kind, owner: undefined, details }
  const [answer] = await chain.multicall([{ to: token, data: encodeCall(selectors.ownerOf, BigInt(tokenId)) }])
  const owner = answer && findAddress(answer)
  if (!owner) throw new CountersignError('ObjectNotFound', `Token ${tokenId} of this contract has no owner.`)
  return { token, tokenId, kind, owner, details }
}

/** Details of NFTs from contracts and metadata. Unknown metadata is fetched for the next time. */
export async function readNftDetails(
  context: Context,
  caller: Caller,
  chain: Chain,
  rows: readonly NftRow[],
): Promise<NftDetails[]> {
  const nfts = rows.map(({ token, tokenId, kind }) => ({ token: token as Hex, tokenId: BigInt(tokenId), kind }))
  const [contracts = [], records] = await Promise.all([
    ignoreNodeFailure(getNftContracts(chain, [...new Set(nfts.map(({ token }) => token))])),
    listNftMetadata(context, chain, nfts, askerOf(caller)),
  ])
  const lacking = nfts.filter((_, place) => records[place]?.uri === undefined)
  const found = await ignoreNodeFailure(getTokenUris(chain, lacking))
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

/** Returns true if only a new block can change them. */
export const areSettled = (details: readonly NftDetails[]) => details.every(({ isWhole }) => isWhole)
