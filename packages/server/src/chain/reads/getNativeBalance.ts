import type { BlockRef, BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { readBig, toQuantity } from '../nodes/quantities.ts'

/** What an address has of the chain's own currency, at the head or at an earlier block. */
export async function getNativeBalance(
  chain: Chain,
  { address, block = 'latest' }: { address: Hex; block?: BlockTag },
): Promise<{ balance: bigint; block: BlockRef }> {
  const at = await chain.block(block)
  return { balance: readBig(await chain.request('eth_getBalance', [address, toQuantity(at.number)])), block: at }
}
