import type { Chain, ContractCall, Hex } from '../nodes/Chain.ts'
import { encodeCall, findText, findUint, selectors } from './coding.ts'
import { plainText } from './plainText.ts'

/** What a token says of itself. Undefined is what it does not say; a contract that says nothing is no token. */
export type TokenMetadata = {
  address: Hex
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
}

const keptFor = 3_600_000
const mostKept = 20_000
const kept = new WeakMap<Chain, Map<Hex, { at: number; metadata: TokenMetadata }>>()

/** Name, symbol and decimals of tokens. They hardly ever change, and so are remembered for an hour. */
export async function getTokenMetadata(chain: Chain, addresses: readonly Hex[]): Promise<TokenMetadata[]> {
  const memory = kept.get(chain) ?? new Map<Hex, { at: number; metadata: TokenMetadata }>()
  kept.set(chain, memory)
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
