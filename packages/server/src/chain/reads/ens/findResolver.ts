import { CountersignError } from '@countersign/protocol'
import type { Chain, Hex } from '../../nodes/Chain.ts'
import { encodeCall, findAddress, selectors } from '../coding.ts'
import { nameHash } from './nameHash.ts'

export type Resolver = { address: Hex; node: Hex; name: string; wildcard: boolean }

/** Who resolves a name: its own resolver, or that of the nearest parent, which must know how (ENSIP-10). */
export async function findResolver(chain: Chain, text: string, block: number): Promise<Resolver | undefined> {
  const registry = chain.contracts.ensRegistry
  if (!registry)
    throw new CountersignError('CommandUnavailable', `The chain ${chain.name} has no registry of names here.`, {
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
