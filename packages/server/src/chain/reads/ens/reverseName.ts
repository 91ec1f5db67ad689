import { CountersignError } from '@countersign/protocol'
import type { BlockRef, Chain, Hex } from '../../nodes/Chain.ts'
import { encodeCall, findText, selectors } from '../coding.ts'
import { findResolver } from './findResolver.ts'
import { resolveName } from './resolveName.ts'

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
    // A record may hold any text; one that is no name names nobody.
    if (error instanceof CountersignError && error.code === 162) return undefined
    throw error
  })
  // The claimed spelling must be the right one, or a look-alike could be shown.
  if (resolved?.address !== address.toLowerCase() || resolved.name !== claimed) return undefined
  return { name: resolved.name, block }
}
