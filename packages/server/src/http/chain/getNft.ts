import { CountersignError } from '@countersign/protocol'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { encodeCall, findAddress, selectors } from '../../chain/reads/coding.ts'
import { getNftContracts } from '../../chain/reads/getNftContracts.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type NftDetails, readNftDetails } from './readNftDetails.ts'

export type Nft = {
  token: Hex
  tokenId: string
  kind: 'erc721' | 'erc1155'
  /** Of ERC-721 alone: there a token has one owner. */
  owner: Hex | undefined
  details: NftDetails
}

/** A collectible, straight from its contract. */
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
  if (!details) throw new Error('what was asked for one NFT answered for none')
  if (kind === 'erc1155') return { token, tokenId, kind, owner: undefined, details }
  const [answer] = await chain.multicall([{ to: token, data: encodeCall(selectors.ownerOf, BigInt(tokenId)) }])
  const owner = answer && findAddress(answer)
  if (!owner) throw new CountersignError('ObjectNotFound', `Nobody has the token ${tokenId} of this contract.`)
  return { token, tokenId, kind, owner, details }
}
