import type { Chain, Hex } from '../../nodes/Chain.ts'
import { findText as readText } from '../coding.ts'
import { askResolver } from './askResolver.ts'
import { findResolver } from './findResolver.ts'

/** A text record of a name: `avatar`, `url`, `com.twitter` … */
export async function findTextRecord(chain: Chain, name: string, key: string): Promise<string | undefined> {
  const { number } = await chain.head()
  const resolver = await findResolver(chain, name, number)
  if (!resolver) return undefined
  const { encodeFunctionData, parseAbi } = await import('viem')
  const abi = parseAbi(['function text(bytes32 node, string key) view returns (string)'])
  const call: Hex = encodeFunctionData({ abi, args: [resolver.node, key] })
  const result = await askResolver(chain, resolver, call, number)
  return (result && readText(result)) || undefined
}
