import type { Abi, AbiEvent } from 'viem'
import type { Hex } from '../nodes/Chain.ts'
import { standardAbi } from './standardAbi.ts'

export type Decoded = {
  /** `Transfer` */
  label: string
  /** `Transfer(address,address,uint256)` */
  signature: string
  /** In their order; numbers are bigint. */
  params: { name: string; type: string; value: unknown }[]
}

/** An event in words, by an ABI or by those of the token standards; undefined where none fits. */
export async function decodeLog(
  { topics, data }: { topics: readonly Hex[]; data: Hex },
  abi: Abi = standardAbi,
): Promise<Decoded | undefined> {
  const { decodeEventLog, toEventSelector, toEventSignature } = await import('viem')
  for (const item of abi) {
    if (item.type !== 'event' || toEventSelector(item) !== topics[0]) continue
    // Transfer of ERC-20 and of ERC-721 have one signature; which it is shows in how many topics there are.
    if (item.inputs.filter(({ indexed }) => indexed).length !== topics.length - 1) continue
    const args = tryDecode(() => decodeEventLog({ abi: [item] as Abi, topics: topics as [Hex, ...Hex[]], data }).args)
    if (args === undefined) continue
    return { label: item.name, signature: toEventSignature(item), params: named(item, args) }
  }
  return undefined
}

function named({ inputs }: AbiEvent, args: unknown): Decoded['params'] {
  const byName = args as Record<string, unknown>
  return inputs.map(({ name = '', type }, place) => ({
    name,
    type,
    value: Array.isArray(args) ? args[place] : byName[name],
  }))
}

function tryDecode(decode: () => unknown): unknown {
  try {
    return decode() ?? []
  } catch {
    return undefined
  }
}
