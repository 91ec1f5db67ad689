import type { BlockRef, BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { readBig, toQuantity } from '../nodes/quantities.ts'
import { encodeCall, findUint, selectors } from './abi.ts'

/** Reads the native balance of an address, at the head or at an earlier block. */
export async function getNativeBalance(
  chain: Chain,
  { address, block = 'latest' }: { address: Hex; block?: BlockTag },
): Promise<{ balance: bigint; block: BlockRef }> {
  const at = await chain.block(block)
  return { balance: readBig(await chain.request('eth_getBalance', [address, toQuantity(at.number)])), block: at }
}

/** Reads the native balances of many addresses at one block, in their order. */
export async function getNativeBalances(
  chain: Chain,
  { addresses, block = 'latest' }: { addresses: readonly Hex[]; block?: BlockTag },
): Promise<{ balances: bigint[]; block: BlockRef }> {
  const at = await chain.block(block)
  const known = addresses.length > 10 ? await askMulticall(chain, addresses, at.number) : []
  const balances = await Promise.all(
    addresses.map(async (address, place) => {
      return known[place] ?? readBig(await chain.request('eth_getBalance', [address, toQuantity(at.number)]))
    }),
  )
  return { balances, block: at }
}

async function askMulticall(chain: Chain, addresses: readonly Hex[], number: number) {
  const to = chain.contracts.multicall
  if (!to) return []
  // One call first: without the contract, a thousand calls would return nothing.
  const code = await chain.request('eth_getCode', [to, toQuantity(number)])
  if (code === '0x') return []
  const results = await chain.multicall(
    addresses.map((address) => ({ to, data: encodeCall(selectors.getEthBalance, address) })),
    number,
  )
  return results.map((result) => findUint(result))
}
