import type { Chain, Hex } from '../../nodes/Chain.ts'
import { encodeCall, findAddress, findUint, selectors } from '../coding.ts'
import { getTokenUris } from '../getTokenUris.ts'
import { findTextRecord } from './findTextRecord.ts'
import { resolveName } from './resolveName.ts'

/**
 * What a name shows of itself (ENSIP-12). `url`: a picture by http(s), ipfs or data. `nft`: the picture is in the metadata
 * that `uri` leads to, which whoever shows it has to fetch; only where the name's address has the NFT.
 */
export type Avatar =
  | { kind: 'url'; url: string }
  | { kind: 'nft'; token: Hex; tokenId: bigint; standard: 'erc721' | 'erc1155'; uri: string }

const reference = /^eip155:(\d{1,15})\/(erc721|erc1155):(0x[0-9a-f]{40})\/(\d{1,78})$/i

export async function findAvatar(chain: Chain, name: string): Promise<Avatar | undefined> {
  const record = await findTextRecord(chain, name, 'avatar')
  if (!record || record.length > 100_000) return undefined
  if (/^(https?:\/\/|ipfs:\/\/|ipns:\/\/|ar:\/\/|data:image\/)/i.test(record)) return { kind: 'url', url: record }
  const [, chainId, kind, address, id] = reference.exec(record) ?? []
  if (!kind || !address || !id || Number(chainId) !== chain.id) return undefined
  const standard = kind.toLowerCase() as 'erc721' | 'erc1155'
  const token = address.toLowerCase() as Hex
  const tokenId = BigInt(id)
  const owner = await resolveName(chain, name)
  if (!owner || tokenId >= 1n << 256n || !(await has(chain, owner.address, { token, tokenId, standard })))
    return undefined
  const [uri] = await getTokenUris(chain, [{ token, tokenId, kind: standard }])
  return uri ? { kind: 'nft', token, tokenId, standard, uri } : undefined
}

type Nft = { token: Hex; tokenId: bigint; standard: 'erc721' | 'erc1155' }

async function has(chain: Chain, owner: Hex, { token, tokenId, standard }: Nft): Promise<boolean> {
  const data =
    standard === 'erc721' ? encodeCall(selectors.ownerOf, tokenId) : encodeCall(selectors.balanceOfId, owner, tokenId)
  const [result] = await chain.multicall([{ to: token, data }])
  if (!result) return false
  return standard === 'erc721' ? findAddress(result) === owner : (findUint(result) ?? 0n) > 0n
}
