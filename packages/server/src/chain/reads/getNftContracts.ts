import type { Chain, ContractCall, Hex } from '../nodes/Chain.ts'
import { encodeCall, findText, findUint, selectors } from './coding.ts'
import { plainText } from './plainText.ts'

export type NftContract = {
  address: Hex
  name: string | undefined
  symbol: string | undefined
  /** By ERC-165; undefined where the contract does not say that it is either. */
  kind: 'erc721' | 'erc1155' | undefined
}

const interfaceWord = (id: string): Hex => `0x${id.padEnd(64, '0')}`

/** Name, symbol and standard of NFT contracts. */
export async function getNftContracts(chain: Chain, addresses: readonly Hex[]): Promise<NftContract[]> {
  const calls = addresses.flatMap((to): ContractCall[] => [
    { to, data: encodeCall(selectors.name) },
    { to, data: encodeCall(selectors.symbol) },
    { to, data: encodeCall(selectors.supportsInterface, interfaceWord('80ac58cd')) },
    { to, data: encodeCall(selectors.supportsInterface, interfaceWord('d9b67a26')) },
  ])
  const results = await chain.multicall(calls)
  return addresses.map((address, place) => {
    const [name, symbol, is721, is1155] = results.slice(place * 4, place * 4 + 4)
    const kind = is721 && findUint(is721) === 1n ? 'erc721' : is1155 && findUint(is1155) === 1n ? 'erc1155' : undefined
    return {
      address,
      name: name && plainText(findText(name)),
      symbol: symbol && plainText(findText(symbol)),
      kind,
    }
  })
}
