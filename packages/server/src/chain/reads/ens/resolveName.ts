import type { BlockRef, Chain, Hex } from '../../nodes/Chain.ts'
import { encodeCall, findAddress, selectors } from '../coding.ts'
import { askResolver } from './askResolver.ts'
import { findResolver } from './findResolver.ts'

export type ResolvedName = { name: string; address: Hex; resolver: Hex; block: BlockRef }

/** Whom a name stands for; undefined where it stands for nobody. */
export async function resolveName(chain: Chain, name: string): Promise<ResolvedName | undefined> {
  const block = await chain.head()
  const resolver = await findResolver(chain, name, block.number)
  if (!resolver) return undefined
  const result = await askResolver(chain, resolver, encodeCall(selectors.addr, resolver.node), block.number)
  const address = result && findAddress(result)
  return address && { name: resolver.name, address, resolver: resolver.address, block }
}
