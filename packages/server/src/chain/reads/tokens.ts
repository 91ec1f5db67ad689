import { CountersignError } from '@countersign/protocol'
import type { BlockRef, BlockTag, Chain, ContractCall, Hex, TokenMetadata } from '../nodes/Chain.ts'
import { encodeCall, findText, findUint, plainText, selectors } from './abi.ts'

/** How much of a token a spender may take from its owner. */
export async function getAllowance(
  chain: Chain,
  { token, owner, spender, block = 'latest' }: { token: Hex; owner: Hex; spender: Hex; block?: BlockTag },
): Promise<{ allowance: bigint; block: BlockRef }> {
  const at = await chain.block(block)
  const [result] = await chain.multicall(
    [{ to: token, data: encodeCall(selectors.allowance, owner, spender) }],
    at.number,
  )
  const allowance = result && findUint(result)
  if (allowance === undefined) throw new CountersignError('InvalidValue', `There is no ERC-20 token at ${token}.`)
  return { allowance, block: at }
}

/** Reads balances of given tokens at one block. Undefined for a contract that is not a token. */
export async function getTokenBalances(
  chain: Chain,
  { owner, tokens, block = 'latest' }: { owner: Hex; tokens: readonly Hex[]; block?: BlockTag },
): Promise<{ balances: { token: Hex; balance: bigint | undefined }[]; block: BlockRef }> {
  const at = await chain.block(block)
  const data = encodeCall(selectors.balanceOf, owner)
  const results = await chain.multicall(
    tokens.map((to) => ({ to, data })),
    at.number,
  )
  return {
    balances: tokens.map((token, place) => {
      const result = results[place]
      return { token, balance: result && findUint(result) }
    }),
    block: at,
  }
}

const keptFor = 3_600_000

const mostKept = 20_000

/** Name, symbol and decimals of tokens. They hardly ever change, and so are remembered for an hour. */
export async function getTokenMetadata(chain: Chain, addresses: readonly Hex[]): Promise<TokenMetadata[]> {
  const memory = chain.known.tokens
  const now = performance.now()
  const missing = [...new Set(addresses)].filter((address) => !(now - (memory.get(address)?.at ?? -keptFor) < keptFor))
  const read = new Map((await readTokens(chain, missing)).map((metadata) => [metadata.address, metadata]))
  for (const metadata of read.values()) {
    if (metadata.decimals === undefined && metadata.symbol === undefined) continue
    memory.delete(metadata.address)
    memory.set(metadata.address, { at: now, metadata })
  }
  const answer = addresses.map((address) => {
    return read.get(address) ?? memory.get(address)?.metadata ?? { address, ...nothing }
  })
  for (const oldest of memory.keys()) {
    if (memory.size <= mostKept) break
    memory.delete(oldest)
  }
  return answer
}

const nothing = { name: undefined, symbol: undefined, decimals: undefined }

async function readTokens(chain: Chain, addresses: readonly Hex[]): Promise<TokenMetadata[]> {
  const calls = addresses.flatMap((to): ContractCall[] => [
    { to, data: encodeCall(selectors.name) },
    { to, data: encodeCall(selectors.symbol) },
    { to, data: encodeCall(selectors.decimals) },
  ])
  const results = await chain.multicall(calls)
  return addresses.map((address, place) => {
    const [name, symbol, decimals] = results.slice(place * 3, place * 3 + 3)
    const digits = decimals && findUint(decimals)
    return {
      address,
      name: name && plainText(findText(name)),
      symbol: symbol && plainText(findText(symbol)),
      decimals: digits !== undefined && digits <= 255n ? Number(digits) : undefined,
    }
  })
}

export type NftId = { token: Hex; tokenId: bigint; kind: 'erc721' | 'erc1155' }

const longestPattern = 10_000

/** Reads the metadata URIs of NFTs from their contracts. `{id}` is filled in as ERC-1155 defines. */
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

export type NftContract = {
  address: Hex
  name: string | undefined
  symbol: string | undefined
  /** By ERC-165; undefined if the contract declares neither. */
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
