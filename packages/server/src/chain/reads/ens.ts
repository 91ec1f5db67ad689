import { CountersignError } from '@countersign/protocol'
import type { BlockRef, CallResult, Chain, Hex } from '../nodes/Chain.ts'
import { encodeCall, findAddress, findText, findUint, findText as readText, selectors } from './abi.ts'
import { getTokenUris } from './tokens.ts'

const root: Hex = `0x${'0'.repeat(64)}`

export type Resolver = { address: Hex; node: Hex; name: string; wildcard: boolean }

/** Finds the resolver of a name: its own, or that of the nearest parent that supports it (ENSIP-10). */
async function findResolver(chain: Chain, text: string, block: number): Promise<Resolver | undefined> {
  const registry = chain.contracts.ensRegistry
  if (!registry)
    throw new CountersignError('CommandUnavailable', `No name registry is configured for ${chain.name}.`, {
      details: 'See "contracts.ensRegistry" of "chains" in docs/configuration.md.',
    })
  const { name, node, parents } = await nameHash(text)
  const results = await chain.multicall(
    [node, ...parents].map((each) => ({ to: registry, data: encodeCall(selectors.resolver, each) })),
    block,
  )
  const place = results.findIndex((result) => findAddress(result) !== undefined)
  const address = results[place] && findAddress(results[place])
  return address && { address, node, name, wildcard: place > 0 }
}

/** A name in its one right spelling (ENSIP-15), its hash, and those of its parents. Look-alikes and odd characters are refused. */
export async function nameHash(text: string): Promise<{ name: string; node: Hex; parents: Hex[] }> {
  const { concat, keccak256, labelhash, normalize } = await import('../evm.ts')
  const given = text.trim()
  try {
    if (given.length > 255 || !given.includes('.') || given.split('.').includes('')) throw new Error('no name')
    const name = normalize(given)
    // From the root on, each from the one before: a hundred labels must not cost ten thousand hashes.
    const nodes: Hex[] = []
    for (const label of name.split('.').reverse())
      nodes.unshift(keccak256(concat([nodes[0] ?? root, labelhash(label)])))
    const [node = root, ...parents] = nodes
    return { name, node, parents }
  } catch {
    throw new CountersignError('InvalidValue', 'domain must be a name such as alice.eth.')
  }
}

/** Asks the resolver of a name; a parent's by `resolve(bytes,bytes)`. Off-chain names have no result here. */
async function askResolver(
  chain: Chain,
  { address, name, wildcard }: Resolver,
  call: Hex,
  block: number,
): Promise<CallResult | undefined> {
  if (!wildcard) return (await chain.multicall([{ to: address, data: call }], block))[0]
  const { decodeAbiParameters, encodeFunctionData, packetToBytes, parseAbi, toHex } = await import('../evm.ts')
  const abi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)'])
  const data = encodeFunctionData({ abi, args: [toHex(packetToBytes(name)), call] })
  const [result] = await chain.multicall([{ to: address, data }], block)
  if (!result?.success || result.data.length < 130) return undefined
  try {
    const [answer] = decodeAbiParameters([{ type: 'bytes' }], result.data)
    return { success: true, data: answer }
  } catch {
    return undefined
  }
}

export type ResolvedName = { name: string; address: Hex; resolver: Hex; block: BlockRef }

/** Resolves a name, or returns undefined if it has no address. */
export async function resolveName(chain: Chain, name: string): Promise<ResolvedName | undefined> {
  const block = await chain.head()
  const resolver = await findResolver(chain, name, block.number)
  if (!resolver) return undefined
  const result = await askResolver(chain, resolver, encodeCall(selectors.addr, resolver.node), block.number)
  const address = result && findAddress(result)
  return address && { name: resolver.name, address, resolver: resolver.address, block }
}

/** The name of an address. Anyone may claim any name, so it counts only where the name leads back to the address. */
export async function reverseName(chain: Chain, address: Hex): Promise<{ name: string; block: BlockRef } | undefined> {
  const block = await chain.head()
  const resolver = await findResolver(chain, `${address.slice(2).toLowerCase()}.addr.reverse`, block.number)
  if (!resolver || resolver.wildcard) return undefined
  const [result] = await chain.multicall(
    [{ to: resolver.address, data: encodeCall(selectors.ensName, resolver.node) }],
    block.number,
  )
  const claimed = result && findText(result)
  if (!claimed) return undefined
  const resolved = await resolveName(chain, claimed).catch((error: unknown) => {
    // A record may contain any text; an invalid name is ignored.
    if (error instanceof CountersignError && error.code === 162) return undefined
    throw error
  })
  // The claimed spelling must be the right one, or a look-alike could be shown.
  if (resolved?.address !== address.toLowerCase() || resolved.name !== claimed) return undefined
  return { name: resolved.name, block }
}

/**
 * Avatar of a name (ENSIP-12). `url`: a picture by http(s), ipfs or data. `nft`: the picture is in the metadata at
 * `uri`, which the page has to fetch; only if the name's address owns the NFT.
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

/** A text record of a name: `avatar`, `url`, `com.twitter` … */
export async function findTextRecord(chain: Chain, name: string, key: string): Promise<string | undefined> {
  const { number } = await chain.head()
  const resolver = await findResolver(chain, name, number)
  if (!resolver) return undefined
  const { encodeFunctionData, parseAbi } = await import('../evm.ts')
  const abi = parseAbi(['function text(bytes32 node, string key) view returns (string)'])
  const call: Hex = encodeFunctionData({ abi, args: [resolver.node, key] })
  const result = await askResolver(chain, resolver, call, number)
  return (result && readText(result)) || undefined
}
